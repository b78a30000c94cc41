// Command helper has what a cluster on one machine needs beside Kubernetes: certificates, connections between network
// namespaces, and a device plugin with simulated GPUs.
package main

import (
	"fmt"
	"os"
)

func main() {
	commands := map[string]func([]string) error{"forward": forward, "certificate": certificate, "gpus": gpus}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: helper certificate|forward|gpus ARGUMENT...")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "helper "+os.Args[1]+":", err)
		os.Exit(1)
	}
}
