import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { tool } from "../../tool/define.ts";
import { complete } from "./complete.ts";
import { newSession } from "./session.ts";

const parameters = {
  city: { type: "string" },
  country: { type: "string" },
  days: { type: "integer" },
} as const;
const getWeather = tool({
  name: "getWeather",
  input: { type: "object", properties: parameters },
  execute: () => "",
});
const desk = new Agent({ name: "Desk", tools: [getWeather], handoffs: [new Agent({ name: "Till" })] });

async function found(typed: string): Promise<readonly string[]> {
  const completion = await complete(typed, newSession<unknown>(desk, undefined));
  return completion.matches.map((text) => typed.slice(0, typed.length - completion.typed.length) + text);
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-complete-"));
  await writeFile(join(folder, "chat.json"), "");
  await mkdir(join(folder, "chats"));
  await writeFile(join(folder, "chat\u001B[2J"), "");
});
afterAll(() => rm(folder, { recursive: true }));

test("completes commands, not messages", async () => {
  expect(await found("/s")).toEqual(["/save "]);
  expect(await found("/re")).toEqual(["/retry", "/reset"]);
  expect(await found("/")).toContain("/help");
  for (const typed of ["/nothing", "", "s", "/help m", "/nothing m"]) expect(await found(typed)).toEqual([]);
});

test("after /call come the tools of the agent that leads, then the parameters", async () => {
  expect(await found("/call ")).toEqual(["/call getWeather ", "/call transfer_to_till "]);
  expect(await found("/call g")).toEqual(["/call getWeather "]);
  expect(await found("/call getWeather c")).toEqual(["/call getWeather city=", "/call getWeather country="]);
  expect(await found("/call getWeather city=Paris d")).toEqual(["/call getWeather city=Paris days="]);
  expect(await found("/call toString c")).toEqual([]);
});

test("after /model come the beginnings of names", async () => {
  expect(await found("/model o")).toEqual([
    "/model offline",
    "/model ollama:",
    "/model openai:",
    "/model own",
  ]);
});

test("after /save and /load come files, but for names that could drive the terminal", async () => {
  const path = join(folder, "chat");
  expect((await found(`/load ${path}`)).toSorted()).toEqual([`/load ${path}.json`, `/load ${path}s${sep}`]);
  expect(await found("/save packa")).toContain("/save package.json");
  await expect(found(`/load ${join(folder, "missing", "x")}`)).rejects.toThrow("ENOENT");
});
