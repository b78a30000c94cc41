// Opens an SSH connection with a key. A fourth argument "sha1" signs with SHA-1; any other is a command that it runs.
package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/crypto/ssh"
)

// Notes the algorithm of the signature.
type notingSigner struct {
	ssh.AlgorithmSigner
	algorithm *string
}

func (s notingSigner) SignWithAlgorithm(rand io.Reader, data []byte, algorithm string) (*ssh.Signature, error) {
	*s.algorithm = algorithm
	return s.AlgorithmSigner.SignWithAlgorithm(rand, data, algorithm)
}

func main() {
	address, user, file := os.Args[1], os.Args[2], os.Args[3]
	text, err := os.ReadFile(file)
	if err != nil {
		fail(err)
	}
	signer, err := ssh.ParsePrivateKey(text)
	if err != nil {
		fail(err)
	}
	var algorithm string
	used := ssh.Signer(notingSigner{signer.(ssh.AlgorithmSigner), &algorithm})
	if len(os.Args) > 4 && os.Args[4] == "sha1" {
		// A signer that is no AlgorithmSigner signs with the key's own format, which is ssh-rsa.
		used = struct{ ssh.Signer }{signer}
	}
	client, err := ssh.Dial("tcp", address, &ssh.ClientConfig{
		User:            user,
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(used)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		fail(err)
	}
	defer client.Close()
	fmt.Println("authenticated with", algorithm)
	if len(os.Args) > 4 {
		run(client, os.Args[4])
	}
}

func run(client *ssh.Client, command string) {
	session, err := client.NewSession()
	if err != nil {
		fail(err)
	}
	session.Stdin, session.Stdout, session.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = session.Run(command)
	if exit, ok := err.(*ssh.ExitError); ok {
		os.Exit(exit.ExitStatus())
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Println(err)
	os.Exit(1)
}
