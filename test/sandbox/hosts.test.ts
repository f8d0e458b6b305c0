/** A list of hosts: programs reach those that it names, by the proxy of sandbox-runtime, and no other. */
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ExecResult, SandboxOptions } from "skein/sandbox";
import { startOtherUser, type OtherUser } from "./other-user.ts";

let user: OtherUser;
const servers: Server[] = [];
let requests: string[] = [];

/** A server of this machine. */
async function listen(name: string): Promise<number> {
  const server = createServer(({ method, url }, response) => {
    requests.push(`${name} ${method} ${url}`);
    response.end(`hello from ${name}`);
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

let allowed = 0;
let other = 0;
beforeAll(async () => {
  [user, allowed, other] = await Promise.all([startOtherUser(), listen("allowed"), listen("other")]);
});
afterAll(async () => {
  await user.close();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

const curl = (url: string, ...flags: readonly string[]) => ["curl", "-sS", "-m", "5", ...flags, url];

/** Runs a program that may reach one port of this machine. */
const run = (argv: readonly string[], options: SandboxOptions = {}): Promise<ExecResult> =>
  user.exec({ net: [`localhost:${allowed}`, `127.0.0.1:${allowed}`], timeout: 20_000, ...options }, argv);

test("a host of the list is reached", async () => {
  requests = [];
  await expect(run(curl(`http://127.0.0.1:${allowed}/a`))).resolves.toMatchObject({
    stdout: "hello from allowed",
  });
  await expect(run(curl(`http://localhost:${allowed}/b`, "-d", "x"))).resolves.toMatchObject({
    stdout: "hello from allowed",
  });
  expect(requests).toEqual(["allowed GET /a", "allowed POST /b"]);
});

test("no address goes around the proxy by a variable, unless env has it", async () => {
  const names = ["sh", "-c", "env | grep -i ^no_proxy= | sort"];
  await expect(run(names)).resolves.toMatchObject({ stdout: "NO_PROXY=\nno_proxy=\n" });
  await expect(run(names, { env: { no_proxy: "example.com" } })).resolves.toMatchObject({
    stdout: "NO_PROXY=\nno_proxy=example.com\n",
  });
});

test("programs find the proxy under its name", async () => {
  await expect(run(["getent", "hosts", "localhost"])).resolves.toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("localhost"),
  });
  await expect(run(["sh", "-c", "echo >> /etc/hosts"])).resolves.toMatchObject({
    stderr: expect.stringContaining("cannot create"),
  });
});

test.each([
  ["another port", () => curl(`http://127.0.0.1:${other}/`)],
  ["another port of a name", () => curl(`http://localhost:${other}/`)],
  ["another name", () => curl(`http://example.com:${allowed}/`)],
  ["another name through a tunnel", () => curl(`http://example.com:${allowed}/`, "--proxytunnel")],
  [
    "an address under a name of the list",
    () => curl(`http://127.0.0.2:${allowed}/`, "-H", "Host: localhost"),
  ],
  ["metadata of the machine", () => curl("http://169.254.169.254/")],
  [
    "a host without the proxy",
    () => ["curl", "-sS", "-m", "5", "--noproxy", "*", `http://127.0.0.1:${allowed}/`],
  ],
  ["a host by a socket", () => ["bash", "-c", `exec 3<>/dev/tcp/127.0.0.1/${allowed}`]],
])("%s is not", async (_, argv) => {
  requests = [];
  const { exitCode, stdout, stderr } = await run(argv());
  expect(stdout).not.toContain("hello");
  expect(exitCode !== 0 || stdout.includes("blocked")).toBe(true);
  expect(stdout + stderr).toMatch(/blocked|refused|Couldn't connect|403|unreachable/i);
  expect(requests).toEqual([]);
});

test("of two lists that a process begins with at once, one is an error, and no program gets the other's hosts", async () => {
  const fresh = await startOtherUser();
  requests = [];
  const argv = curl(`http://127.0.0.1:${allowed}/`);
  const answers = await fresh.execAll([
    { options: { net: [`127.0.0.1:${allowed}`], timeout: 20_000 }, argv },
    { options: { net: ["example.com"], timeout: 20_000 }, argv },
  ]);
  expect(answers).toMatchObject([
    { result: { stdout: "hello from allowed" } },
    { error: { code: "sandbox-conflict" } },
  ]);
  expect(requests).toEqual(["allowed GET /"]);
  await fresh.close();
});

test("after a rest, the same list is used again", async () => {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  await expect(run(["echo", "again"])).resolves.toMatchObject({ stdout: "again\n" });
});

test("another list in the same process is an error", async () => {
  await expect(run(["true"], { net: ["example.com"] })).rejects.toMatchObject({
    code: "sandbox-conflict",
    message: expect.stringContaining("Give all sandboxes of a process the same net"),
  });
  await expect(run(["echo", "same"])).resolves.toMatchObject({ stdout: "same\n" });
});

test("programs are under the limits of all sandboxes", async () => {
  await expect(run(["sleep", "1000"], { timeout: 1_000 })).resolves.toMatchObject({ ended: "timeout" });
  const large = ["perl", "-e", 'my @a; push @a, "x" x 1048576 while 1'];
  await expect(run(large, { memoryMb: 64 })).resolves.toMatchObject({ ended: "memory" });
  await expect(run(["no-such-program"])).rejects.toMatchObject({ code: "sandbox-failed" });
  const env = { "it's-a \\ $name": "x", TOKEN: "b7f2c1" };
  const { stdout } = await run(["env"], { env });
  expect(stdout).toContain("it's-a \\ $name=x\n");
  expect(stdout).toContain("TMPDIR=/tmp\n");
});

test("the proxies do not keep a process alive", async () => {
  const alone = await startOtherUser();
  const { exitCode } = await alone.exec({ net: ["example.com"] }, ["true"]);
  expect(exitCode).toBe(0);
  await expect(alone.close()).resolves.toBeUndefined();
});
