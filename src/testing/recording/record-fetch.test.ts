import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { openai } from "../../providers/openai/index.ts";
import type { TestServer } from "../../providers/openai/test-server.ts";
import { retry } from "../../providers/wrappers/index.ts";
import { run } from "../../run/run.ts";
import { record, recordFetch, replay, replayFetch } from "../index.ts";
import { openRecording, type TestRecording } from "./test-recording.ts";

const key = "sk-proj-4711abcdefgh";
let recording: TestRecording;
let server: TestServer;
let file: string;

beforeEach(async () => {
  recording = await openRecording();
  ({ server, file } = recording);
});
afterEach(() => recording.close());

describe("recordFetch and replayFetch", () => {
  test("keep any HTTP exchange, and give it again", async () => {
    server.answer({ type: "application/json", chunks: ['{"ok":', "true}"] });
    const url = `${server.url}/things?api_key=very-private&page=2`;
    const send = (fetch: typeof globalThis.fetch): Promise<Response> =>
      fetch(url, { method: "POST", body: '{"a":1,"password":"very-private"}' });
    expect(await (await send(recordFetch(file))).json()).toEqual({ ok: true });
    expect(recording.text()).not.toContain("very-private");
    const again = replayFetch(file);
    expect(await (await send(again)).json()).toEqual({ ok: true });
    again.assertComplete();
    await expect(send(again)).rejects.toMatchObject({ code: "replay-exhausted" });
    expect(server.received).toHaveLength(1);
  });
});

describe("a client of an HTTP service", () => {
  test("that looks at the status alone loses nothing of what it asks later", async () => {
    const send = async (fetch: typeof globalThis.fetch): Promise<unknown> => {
      server.answer({ type: "text/plain", status: 503, chunks: ["busy"] });
      if ((await fetch(`${server.url}/things`)).ok) throw new Error("it is not busy");
      server.answer({ type: "application/json", chunks: ['{"ok":true}'] });
      return (await fetch(`${server.url}/things`)).json();
    };
    expect(await send(recordFetch(file))).toEqual({ ok: true });
    await vi.waitFor(() => expect(recording.exchanges()).toHaveLength(2));
    const again = replayFetch(file);
    expect(await send(again)).toEqual({ ok: true });
    again.assertComplete();
  });

  test("reads the headers again that it acts on, without the secrets in them", async () => {
    const link = "</things?page=2&token=very-private>; rel=next";
    server.answer({
      type: "text/plain",
      chunks: ["ok"],
      headers: { location: "/there", link, "x-account": "ada" },
    });
    const send = async (fetch: typeof globalThis.fetch): Promise<Headers> =>
      (await fetch(server.url)).headers;
    await send(recordFetch(file));
    await vi.waitFor(() => expect(recording.exchanges()).toHaveLength(1));
    expect(recording.text()).not.toMatch(/very-private|ada/);
    const headers = await send(replayFetch(file));
    expect([headers.get("location"), headers.get("link")]).toEqual([
      "/there",
      "</things?page=2&token=[redacted]>; rel=next",
    ]);
  });

  test.each<[string, () => NonNullable<RequestInit["body"]>]>([
    ["a stream", () => new Blob(["twelve bytes"]).stream()],
    ["a generator", () => piecesOf("twelve", " bytes") as unknown as ReadableStream],
  ])("may send %s, which is read once only", async (_, body) => {
    server.answer({ type: "text/plain", chunks: ["ok"] });
    const init = { method: "POST", duplex: "half" };
    const send = (fetch: typeof globalThis.fetch): Promise<Response> =>
      fetch(server.url, { ...init, body: body() });
    await (await send(recordFetch(file))).text();
    expect(server.received[0]?.body).toEqual({ text: "twelve bytes" });
    expect(await (await send(replayFetch(file))).text()).toBe("ok");
  });

  test("whose model has tried again itself is not tried again when it is replayed", async () => {
    for (let count = 0; count < 2; count++)
      server.answer({ type: "text/plain", status: 503, chunks: ["down"] });
    const model = retry(openai("m", { baseURL: server.url, apiKey: key }), { times: 1, delay: () => 1 });
    const agent = new Agent({ name: "A" });
    await expect(run(agent, "Hi", { model: record(model, file) })).rejects.toMatchObject({ status: 503 });
    const again = replay(file);
    await expect(run(agent, "Hi", { model: again })).rejects.toMatchObject({ status: 503 });
    again.assertComplete();
  });
});

async function* piecesOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}
