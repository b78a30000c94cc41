module freehold/test/ssh-client

go 1.21

require golang.org/x/crypto v0.0.0-20220411220226-7b82a4e95df4

require golang.org/x/sys v0.0.0-20210615035016-665e8c7367d1 // indirect
