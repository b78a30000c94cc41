// Opens an SSH connection with a key. With a fourth argument, it signs with SHA-1.
package main

import (
	"fmt"
	"os"

	"golang.org/x/crypto/ssh"
)

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
	if len(os.Args) > 4 {
		// A signer that is no AlgorithmSigner signs with the key's own format, which is ssh-rsa.
		signer = struct{ ssh.Signer }{signer}
	}
	client, err := ssh.Dial("tcp", address, &ssh.ClientConfig{
		User:            user,
		Auth:            []ssh.AuthMethod{ssh.PublicKeys(signer)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		fail(err)
	}
	client.Close()
	fmt.Println("authenticated")
}

func fail(err error) {
	fmt.Println(err)
	os.Exit(1)
}
