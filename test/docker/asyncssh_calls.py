"""Opens a Pod with asyncssh and an RSA key: a command, its input and exit code, and a forwarded port."""

import asyncio
import sys

import asyncssh


async def main(port: str, pod: str, key: str) -> None:
    async with asyncssh.connect(
        "127.0.0.1", int(port), username=pod, client_keys=[key], known_hosts=None, config=None
    ) as connection:
        result = await connection.run("cat; echo wrong >&2; exit 3", input="in\n")
        print(result.stdout.strip(), result.stderr.strip(), result.exit_status)
        reader, writer = await connection.open_connection("localhost", 8080)
        writer.write(b"GET / HTTP/1.0\r\n\r\n")
        print((await reader.read()).decode().split("\r\n\r\n")[1])


asyncio.run(main(*sys.argv[1:]))
