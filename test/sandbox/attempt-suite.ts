/** What programs try in a box, on a machine that has something to reach. None of it comes out, and none of it goes in. */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { ExecResult } from "skein/sandbox";
import { openSocket, secret, startHost, systemCall, type Host } from "./host.ts";

/** Runs a line of bash in a box that may write the folder, with 128 MB, 64 processes and 20 seconds. */
type Attempt = (root: string, line: string) => Promise<ExecResult>;

/** What is another one in a tier, by the attempt. */
export type Differences = Readonly<Record<string, RegExp>>;

type Line = string | ((host: Host) => string);

/** By what is tried: the line of bash, and what comes of it. */
const refused: Readonly<Record<string, readonly [line: Line, output: RegExp]>> = {
  // Files
  "to read a file beside the folder": [({ outside }) => `cat ${outside}/id_rsa`, /No such file/],
  "to read it by a path that goes up": ["cat ../outside/id_rsa", /No such file/],
  "to list the home folder": [`ls -a ${homedir()}`, /No such file/],
  "to read keys of SSH": ["ls ~/.ssh", /No such file/],
  "to read passwords": ["cat /etc/shadow /etc/passwd", /No such file.*\n.*No such file/],
  "to read it by the root of another process": [
    ({ outside }) => `cat /proc/1/root${outside}/id_rsa`,
    /No such file/,
  ],
  "to read it by a link": [({ outside }) => `ln -sf ${outside} to; cat to/id_rsa`, /No such file/],
  "to write by a link": [
    ({ outside }) => `ln -sf ${outside} out; echo x > out/planted`,
    /No such file|Not a directory/,
  ],
  "to read it by a hard link": [({ outside }) => `ln ${outside}/id_rsa hard`, /No such file/],
  "to put a hard link to a program": ["ln /usr/bin/env env", /cross-device|not permitted/],
  "to write into the root": ["echo x > /planted", /Read-only/],
  "to write among programs": ["echo x > /usr/bin/planted", /Read-only/],
  "to write settings": ["echo x > /etc/planted", /Read-only/],
  "to write among devices": ["echo x > /dev/planted", /Read-only/],
  "to put another folder in its place": ["cd /; mv $OLDPWD /tmp/other", /busy|Read-only|cannot/],
  "to read a disk": ["ls /dev/sda /dev/vda /dev/mem /dev/kmsg", /^(?:ls: .*No such file.*\n){4}$/],
  "to make a device": ["mknod disk b 254 0", /not permitted/],
  "to write a file that is too large": ["head -c 300000000 /dev/zero > large", /File too large|size limit/],
  // Processes
  "to read the environment of the first process": [
    "tr '\\0' '\\n' < /proc/1/environ",
    /^(?:(?:PATH|HOME|TMPDIR|LANG)=.*\n?)*$/,
  ],
  "to read the process's environment": ["env", /^(?:(?:PATH|HOME|TMPDIR|LANG|PWD|OLDPWD|SHLVL|_)=.*\n?)+$/],
  "to see other processes": ["ls -d /proc/[0-9]* | wc -l", /^[1-6]\n$/],
  "to kill a process": [({ victim }) => `kill -9 ${victim.pid}`, /No such process/],
  "to trace a process": [({ victim }) => systemCall("ptrace", `16, ${victim.pid}, 0, 0`), /refused/],
  "to trace its own": [systemCall("ptrace", "0, 0, 0, 0"), /refused: Operation not permitted/],
  "to read memory of a process": [
    ({ victim }) => systemCall("readMemory", `${victim.pid}, 0, 0, 0, 0, 0`),
    /refused: Operation not permitted/,
  ],
  "to write to a terminal": ["echo x > /dev/tty", /No such device/],
  // Rights
  "to be root": ["id -u; su -c id; sudo id", /^1000\n[^]*(?:su|sudo)/],
  "to become another user": ["perl -e '$< = $> = 0; print $!'", /Invalid argument|not permitted/],
  "to get rights from a program": ["grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status", /0{16}[^]*1\n$/],
  "to mount": ["mount -t tmpfs none /tmp", /permi|must be superuser/i],
  "to make a user namespace": ["unshare -Ur true", /unshare failed/],
  "to make another namespace": ["unshare -m true", /unshare failed/],
  "to change its root": ["chroot /tmp /bin/true", /not permitted/],
  "to name the machine": [`hostname other; hostname`, /^sandbox$|must be root[^]*sandbox/m],
  "to set the kernel": ["echo x > /proc/sys/kernel/core_pattern", /Read-only/],
  "to read the kernel's memory": ["cat /proc/kcore /proc/kallsyms /proc/keys | wc -c", /^0\n/],
  "to read the kernel's messages": [systemCall("syslog", "10, 0, 0"), /refused: Operation not permitted/],
  "to use the user's keys": [systemCall("keyctl", "0, -3, 0"), /refused: Operation not permitted/],
  "to load a program into the kernel": [systemCall("bpf", "0, 0, 0"), /refused: Operation not permitted/],
  "to get round the filter by a ring": [systemCall("ring", "8, 0"), /refused: Operation not permitted/],
  "to keep memory in a file without a name": [
    systemCall("memfd", 'my $n = "a", 0'),
    /refused: Operation not permitted/,
  ],
  "to keep memory beyond its process": [
    systemCall("shmget", "1, 1048576, 0777 | 01000"),
    /refused: Operation not permitted/,
  ],
  // Network
  "to look up a name": ["getent hosts example.com || echo no", /^no\n$/],
  "to ask for metadata of the machine": ["exec 3<>/dev/tcp/169.254.169.254/80", /unreachable/],
  "to connect to the machine": [({ port }) => `exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`, /refused/],
  "to send a datagram": ["echo x > /dev/udp/192.0.2.1/53", /unreachable/],
  "to connect to a socket in the folder": [
    `perl -MSocket -e 'socket(S, 1, 1, 0) or die "refused: $!"; connect(S, pack_sockaddr_un("socket")); print <S>'`,
    /refused: Address family/,
  ],
  "to connect to a socket without a path": [
    ({ abstract }) =>
      `perl -MSocket -e 'socket(S, 1, 1, 0) or die "refused: $!"; connect(S, pack_sockaddr_un("\\0${abstract}")); print <S>'`,
    /refused: Address family/,
  ],
  "to connect to the host of a virtual machine": [openSocket(40), /refused/],
  "to see packets": [openSocket(17, 3), /refused/],
  "to send packets of its own": [openSocket(2, 3), /refused/],
};

const bombs: Readonly<Record<string, readonly [line: string, ended: RegExp]>> = {
  "a fork bomb": [":() { : | : & }; :; sleep 15", /processes|memory/],
  "a bomb of processes that wait": ["while :; do sleep 100 & done", /processes/],
  "memory of one process": [`perl -e 'my @a; push @a, "x" x 1048576 while 1'`, /memory/],
  "memory of many processes": [
    `for i in $(seq 20); do perl -e 'my $a = "x" x 20000000; sleep 15' & done; wait`,
    /memory/,
  ],
  "memory of files in /tmp": [
    "cat /dev/zero > /tmp/a & cat /dev/zero > /tmp/b & cat /dev/zero > /dev/shm/c & wait; sleep 15",
    /memory/,
  ],
  "memory of many empty files": [
    `perl -e 'for (1..1e7) { open(F, ">", "/tmp/$_") or last }; sleep 15'`,
    /memory/,
  ],
  "an endless output": ["yes", /output/],
  "an endless error output": ["yes >&2", /output/],
};

function lineOf(line: Line, host: Host): string {
  return typeof line === "string" ? line : line(host);
}

/** What would be on the machine if it had come out. */
const planted = ["/planted", "/usr/bin/planted", "/etc/planted", "/dev/planted"];

/**
 * Tests every attempt in a tier.
 * @param differs - What comes of attempts that come to something else than in a box of bubblewrap, each of them or all.
 * @param notHeld - Attempts that succeed: what the page of sandboxes warns of.
 * @returns the machine, once the tests run.
 */
export function testAttempts(
  attempt: Attempt,
  differs: Differences | RegExp = {},
  notHeld: readonly string[] = [],
): () => Host {
  let host: Host;
  const outputOf = (name: string, usual: RegExp): RegExp =>
    differs instanceof RegExp ? differs : (differs[name] ?? usual);
  beforeAll(async () => {
    host = await startHost();
    vi.stubEnv("SKEIN_TEST_SECRET", secret);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await host.close();
  });

  const attempts = Object.entries(refused);
  const isHeld = ([name]: readonly [string, unknown]): boolean => !notHeld.includes(name);

  test.each(attempts.filter(isHeld))("a program fails %s", async (name, [line, output]) => {
    const before = host.connections();
    const { stdout, stderr, ended } = await attempt(host.root, lineOf(line, host));
    expect(ended).toBeUndefined();
    expect(stdout + stderr).toMatch(outputOf(name, output));
    expect(stdout + stderr).not.toContain(secret);
    expect(readdirSync(host.outside)).toEqual(["id_rsa"]);
    expect(planted.filter((path) => existsSync(path))).toEqual([]);
    expect(host.connections()).toBe(before);
  });

  test.each(attempts.filter((each) => !isHeld(each)))("not held is %s", async (_, [line]) => {
    const { stdout } = await attempt(host.root, lineOf(line, host));
    expect(stdout).toContain(secret);
  });

  test("a program that kills all it can ends itself alone", async () => {
    await attempt(host.root, "kill -9 -1");
    expect(host.victim.exitCode).toBeNull();
    expect(host.victim.signalCode).toBeNull();
  });

  test.each(Object.entries(bombs))("%s comes to an end", async (name, [line, ended]) => {
    const result = await attempt(host.root, line);
    expect(result.ended ?? result.stderr).toMatch(outputOf(name, ended));
    expect(result.stdout.length + result.stderr.length).toBeLessThan(210_000);
    expect((await attempt(host.root, "echo alive")).stdout).toBe("alive\n");
  });

  test("every difference is of an attempt", () => {
    expect(Object.keys({ ...refused, ...bombs })).toEqual(expect.arrayContaining(Object.keys(differs)));
  });

  return () => host;
}
