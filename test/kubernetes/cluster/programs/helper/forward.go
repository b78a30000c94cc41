package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/containernetworking/plugins/pkg/ns"
)

// forward LISTEN_NAMESPACE ADDRESS DIAL_NAMESPACE ADDRESS connects every connection to the first address with the
// second. A network namespace is a path such as /proc/PID/ns/net.
func forward(args []string) error {
	if len(args) != 4 {
		return errors.New("usage: forward LISTEN_NAMESPACE ADDRESS DIAL_NAMESPACE ADDRESS")
	}
	listenSide, err := ns.GetNS(args[0])
	if err != nil {
		return err
	}
	dialSide, err := ns.GetNS(args[2])
	if err != nil {
		return err
	}
	var listener net.Listener
	err = listenSide.Do(func(ns.NetNS) (err error) {
		listener, err = net.Listen("tcp", args[1])
		return err
	})
	if err != nil {
		return err
	}
	fmt.Println("listening on", listener.Addr())
	for {
		client, err := listener.Accept()
		if err != nil {
			return err
		}
		go connect(client, dialSide, args[3])
	}
}

func connect(client net.Conn, dialSide ns.NetNS, address string) {
	defer client.Close()
	var server net.Conn
	err := dialSide.Do(func(ns.NetNS) (err error) {
		server, err = net.Dial("tcp", address)
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer server.Close()
	done := make(chan struct{}, 2)
	go copyOneWay(server, client, done)
	go copyOneWay(client, server, done)
	<-done
	<-done
}

// copyOneWay passes the end of its direction on and leaves the other direction open.
func copyOneWay(to, from net.Conn, done chan<- struct{}) {
	_, _ = io.Copy(to, from)
	_ = to.(*net.TCPConn).CloseWrite()
	done <- struct{}{}
}
