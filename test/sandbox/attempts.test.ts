/** What programs try in a box, on a machine that has something to reach. None of it comes out, and none of it goes in. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sandbox, SandboxError } from "skein/sandbox";
import { attempt, openSocket, secret, startHost, systemCall, type Host } from "./host.ts";

let host: Host;
beforeAll(async () => {
  host = await startHost();
  vi.stubEnv("SKEIN_TEST_SECRET", secret);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await host.close();
});

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

test.each(Object.entries(refused))("a program fails %s", async (_, [line, output]) => {
  const { stdout, stderr, ended } = await attempt(host.root, typeof line === "string" ? line : line(host));
  expect(ended).toBeUndefined();
  expect(stdout + stderr).toMatch(output);
  expect(stdout + stderr).not.toContain(secret);
  expect(readdirSync(host.outside)).toEqual(["id_rsa"]);
  expect(host.connections()).toBe(0);
});

test("sockets are not those of the machine with its network either", async () => {
  const line = [openSocket(1), openSocket(40), openSocket(2)].join("; echo; ");
  const { stdout } = await attempt(host.root, line, { net: true });
  expect(stdout).toMatch(/^refused.*\nrefused.*\ndone$/);
});

test("a program that kills all it can ends itself alone", async () => {
  await attempt(host.root, "kill -9 -1");
  expect(host.victim.exitCode).toBeNull();
  expect(host.victim.signalCode).toBeNull();
});

test("the name of the machine stays unknown", async () => {
  const { stdout } = await attempt(host.root, "cat /proc/sys/kernel/hostname; uname -n");
  expect(stdout).toBe("sandbox\nsandbox\n");
  expect(hostname()).not.toBe("sandbox");
});

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

test.each(Object.entries(bombs))("%s is ended", async (_, [line, ended]) => {
  const result = await attempt(host.root, line);
  expect(result.ended).toMatch(ended);
  expect(result.exitCode).toBe(137);
  expect(result.stdout.length + result.stderr.length).toBeLessThan(210_000);
  expect((await attempt(host.root, "echo alive")).stdout).toBe("alive\n");
});

test("a link that another program puts in place of a folder while it is read leads nowhere", async () => {
  const { root, outside } = host;
  const box = sandbox.open({ write: [root] });
  const stop = new AbortController();
  const flips = box.exec(
    [
      "bash",
      "-c",
      `cd ${root}; mkdir real; echo fine > real/id_rsa; while :; do ln -sfn real way; ln -sfn ${outside} way; done`,
    ],
    { signal: stop.signal },
  );
  const reads: string[] = [];
  for (let count = 0; count < 25; count++) {
    reads.push(
      await box.read(join(root, "way/id_rsa")).then(
        (bytes) => new TextDecoder().decode(bytes),
        () => "refused",
      ),
    );
    await box.write(join(root, "way/planted"), "x").catch(() => {});
  }
  stop.abort();
  await expect(flips).rejects.toThrow("aborted");
  expect(reads.filter((text) => !["fine\n", "refused"].includes(text))).toEqual([]);
  expect(readdirSync(outside)).toEqual(["id_rsa"]);
});

test("a folder that another sandbox has replaced by a link is refused", async () => {
  const { root, outside } = host;
  const part = join(root, "part");
  mkdirSync(part);
  const reader = sandbox.open({ read: [part] });
  await expect(reader.exec(["ls", part])).resolves.toMatchObject({ exitCode: 0 });
  await attempt(root, `rmdir part && ln -s ${outside} part`);
  await expect(reader.exec(["cat", join(part, "id_rsa")])).rejects.toThrow(SandboxError);
});

test("a folder that is a link from the beginning is what it leads to", async () => {
  const link = join(host.root, "begin");
  symlinkSync(host.outside, link);
  const reader = sandbox.open({ read: [link] });
  await expect(reader.exec(["cat", join(link, "id_rsa")])).resolves.toMatchObject({ stdout: secret });
  await expect(reader.write(join(link, "planted"), "x")).rejects.toThrow("Read-only");
  expect(existsSync(join(host.outside, "planted"))).toBe(false);
});
