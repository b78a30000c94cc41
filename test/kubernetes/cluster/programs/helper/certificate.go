package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// certificate FOLDER NAME COMMON_NAME [O=GROUP] [HOST...] writes NAME.crt and NAME.key, signed by ca.crt of the folder.
// It creates a missing authority, and keeps a certificate that exists.
func certificate(args []string) error {
	if len(args) < 3 {
		return errors.New("usage: certificate FOLDER NAME COMMON_NAME [O=GROUP] [HOST...]")
	}
	folder, name := args[0], args[1]
	authority, err := loadAuthority(folder)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(folder, name+".crt")); err == nil {
		return nil
	}
	template := newTemplate(args[2])
	for _, argument := range args[3:] {
		if group, found := strings.CutPrefix(argument, "O="); found {
			template.Subject.Organization = append(template.Subject.Organization, group)
		} else if ip := net.ParseIP(argument); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, argument)
		}
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	return writePair(folder, name, template, authority)
}

func loadAuthority(folder string) (*tls.Certificate, error) {
	crt, key := filepath.Join(folder, "ca.crt"), filepath.Join(folder, "ca.key")
	if _, err := os.Stat(crt); errors.Is(err, fs.ErrNotExist) {
		template := newTemplate("freehold-test-cluster")
		template.IsCA, template.BasicConstraintsValid = true, true
		template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
		if err := writePair(folder, "ca", template, nil); err != nil {
			return nil, err
		}
	}
	pair, err := tls.LoadX509KeyPair(crt, key)
	return &pair, err
}

func newTemplate(commonName string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 62))
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: commonName},
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.Add(365 * 24 * time.Hour),
	}
}

// writePair signs with the authority, or with the new key itself if there is none.
func writePair(folder, name string, template *x509.Certificate, authority *tls.Certificate) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	parent, signer := template, any(key)
	if authority != nil {
		parent, signer = authority.Leaf, authority.PrivateKey
	}
	crtDer, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		return err
	}
	keyDer, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	keyText := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDer})
	if err := os.WriteFile(filepath.Join(folder, name+".key"), keyText, 0o600); err != nil {
		return err
	}
	crtText := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: crtDer})
	return os.WriteFile(filepath.Join(folder, name+".crt"), crtText, 0o600)
}
