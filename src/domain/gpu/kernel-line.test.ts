import assert from "node:assert/strict";
import { test } from "node:test";
import { type DriverLine, parseDriverLine, parseKernelRecord, pciAddress } from "./kernel-line.ts";

test("a record of the kernel log", () => {
  const rows: [line: string, record: ReturnType<typeof parseKernelRecord>][] = [
    [
      "3,59513,58774575021,-;NVRM: Xid (PCI:0000:3b:00): 79",
      { seq: 59_513, sinceBootMs: 58_774_575, text: "NVRM: Xid (PCI:0000:3b:00): 79" },
    ],
    ["6,1,0,c;a; b", { seq: 1, sinceBootMs: 0, text: "a; b" }],
    // Line ends are part of a record; an escape sequence of a terminal is not let through.
    ["4,2,999,-;one\\x0atwo \\x1b[2J", { seq: 2, sinceBootMs: 0, text: "one\ntwo \\x1b[2J" }],
    [" SUBSYSTEM=pci", null],
    ["4,2,99", null],
    ["", null],
  ];
  for (const [line, record] of rows) assert.deepEqual(parseKernelRecord(line), record, line);
});

test("what the GPU driver says in the kernel log", () => {
  const xid = (code: number, detail = "", pci = "0000:3b:00", instances = {}): DriverLine => {
    return { kind: "xid", pci, code, detail, ...instances };
  };
  const rows: [text: string, line: DriverLine | null][] = [
    [
      "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.",
      xid(79, "GPU has fallen off the bus."),
    ],
    [
      "NVRM: Xid (PCI:0000:3b:00): 31, pid=1234, name=a, (b): 79, Ch 00000008, intr 0. MMU Fault",
      xid(31, "pid=1234, name=a, (b): 79, Ch 00000008, intr 0. MMU Fault"),
    ],
    [
      "NVRM: Xid (PCI:0000:3b:00 GPU-I:05): 94, Contained",
      xid(94, "Contained", "0000:3b:00", { gpuInstance: 5 }),
    ],
    [
      "NVRM: Xid (PCI:0000:3b:00 GPU-I:11 GPU-CI:00): 13, GPU-I:07",
      xid(13, "GPU-I:07", "0000:3b:00", { gpuInstance: 11, computeInstance: 0 }),
    ],
    ["NVRM: Xid (PCI:0001:C1:00): 119, Timeout", xid(119, "Timeout", "0001:c1:00")],
    [
      "NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (OS Reboot)",
      xid(154, "GPU recovery action changed from 0x0 (None) to 0x2 (OS Reboot)"),
    ],
    ["NVRM: Xid (PCI:0000:3b:00): 6", xid(6)],
    ["NVRM: Xid (PCI:0000:3b:00): ", null],
    ["NVRM: Xid (PCI:broken): 79, off", null],
    ["NVRM: Xid (PCI:0000:3b", null],
    [
      "NVRM: GPU at PCI:0000:3b:00: GPU-5f6d7a30-8d2e-4b0a-9f0e-3f1c9c8e1a77",
      { kind: "uuid", pci: "0000:3b:00", uuid: "GPU-5f6d7a30-8d2e-4b0a-9f0e-3f1c9c8e1a77" },
    ],
    [
      "NVRM: The NVIDIA GPU 0000:b3:00.0\nNVRM: (PCI ID: 10de:2330) installed in this system has\nNVRM: fallen off the bus and is not responding to commands.",
      { kind: "fallen", pci: "0000:b3:00" },
    ],
    ["NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.163.01", null],
    ["veth1: entered promiscuous mode", null],
  ];
  for (const [text, line] of rows) assert.deepEqual(parseDriverLine(text), line, text);
});

test("an address is compared by its numbers", () => {
  const rows: [text: string, address: string | null][] = [
    ["0000:3b:00", "0000:3b:00"],
    ["00000000:3B:00.0", "0000:3b:00"],
    ["10000:01:00.0", "10000:01:00"],
    ["3b:00.0", null],
    ["", null],
  ];
  for (const [text, address] of rows) assert.equal(pciAddress(text), address, text);
});
