/**
 * Runs servers of Next.js, one after the other, and prints what comes of the table in them, if the same comes of it
 * everywhere: `node serve.ts report,edge next start -- node server.js`.
 */
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { read, serve } from "../server.ts";

const [routes = "", ...words] = process.argv.slice(2);
const commands = words.join(" ").split(" -- ");

/** Sends the form of the page, as a browser without JavaScript does: it runs a server action. */
async function sendForm(address: string): Promise<void> {
  const page = await read(address);
  const [, name = ""] = /name="(\$ACTION_ID_\w+)"/.exec(page) ?? [];
  const form = new FormData();
  form.append(name, "");
  const { status } = await fetch(address, { method: "POST", body: form });
  if (name === "" || status !== 200) throw new Error(`The server action ended with ${status}.`);
}

/** Sends what the page about Next.js sends, where the application has its route. */
async function chat(address: string): Promise<void> {
  if (!existsSync("src/app/api/chat/route.ts")) return;
  const body = '{ "message": "What is the weather in Paris?" }';
  const answer = await (await fetch(`${address}/api/chat`, { method: "POST", body })).text();
  if (!answer.includes("18 degrees celsius in Paris")) throw new Error(`The page's agent answered ${answer}`);
}

/** Changes a type in another file than the tool's: the next request sees it. */
async function checkChange(address: string): Promise<void> {
  const units = async (): Promise<string> => (await read(`${address}/unit`)).replaceAll('"', "");
  const before = await units();
  const text = await readFile("src/unit.ts", "utf8");
  await writeFile("src/unit.ts", text.replace('"kg"', '"kg" | "stone"'));
  const deadline = Date.now() + 10_000;
  let after = await units();
  // The file system reports changes a moment later.
  while (after === before && Date.now() < deadline) after = await units();
  await writeFile("src/unit.ts", text);
  if (before !== "[g,kg]" || after !== "[g,kg,stone]")
    throw new Error(`The type was ${before} before its change, and ${after} after it.`);
}

/** What is copied to a server must hold neither TypeScript nor Skein's package, which is part of the bundles. */
async function checkContent(folder: string, limit: number): Promise<void> {
  let bytes = 0;
  for (const file of await readdir(folder, { recursive: true })) {
    if (/(?:^|\/)node_modules\/(?:@typescript|typescript|skein)(?:\/|$)/.test(file))
      throw new Error(`The standalone folder holds ${file}.`);
    bytes += (await stat(join(folder, file))).size;
  }
  if (bytes > limit) throw new Error(`The standalone folder takes ${bytes} bytes.`);
}

/** What comes of the table in each place: the routes of each server. */
const reports = new Map<string, string>();

async function askRoutes(command: string, address: string): Promise<void> {
  for (const route of routes.split(",")) {
    if (route === "action") await sendForm(address);
    reports.set(`${route} of ${command}`, await read(`${address}/${route}`));
  }
  await chat(address);
  if (command.startsWith("next dev")) await checkChange(address);
}

/** Copies a standalone server to a folder of its own, as if it were another machine. */
async function serveElsewhere(command: string): Promise<void> {
  const moved = await mkdtemp(join(tmpdir(), "skein-standalone-"));
  try {
    await cp(".next/standalone", moved, { recursive: true });
    await checkContent(moved, Number(process.env["LIMIT"]));
    const servers = await readdir(moved, { recursive: true });
    const server = servers.find((file) => /^(?:(?!node_modules).)*server\.js$/.test(file)) ?? "";
    await serve(dirname(join(moved, server)), command, (address) => askRoutes(command, address));
  } finally {
    await rm(moved, { recursive: true });
  }
}

for (const command of commands) {
  if (command === "node server.js") await serveElsewhere(command);
  else await serve(".", command, (address) => askRoutes(command, address));
}
const [first = ""] = reports.values();
const others = [...reports].filter(([, report]) => report !== first);
for (const [place, report] of others) process.stderr.write(`${place}: ${report}\n`);
if (others.length > 0)
  throw new Error(`Something else comes of the ${others.map(([place]) => place).join()}.`);
process.stdout.write(`${first}\n`);
