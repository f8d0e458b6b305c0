/** The data routes of a studio, without a page. */
import type { AnyAgent } from "../../src/agent/agent.ts";
import { studio, type Studio } from "skein/studio";
import { expect, onTestFinished } from "vitest";
import type { RunDetail } from "../../src/studio/records.ts";

/** A studio that closes with the test. */
export async function openData(agents: readonly AnyAgent[], options: object = {}): Promise<StudioData> {
  const page = await studio({ agents, port: 0, ...options });
  onTestFinished(() => page.close());
  return new StudioData(page);
}

/** Asks a studio as its page does. */
export class StudioData {
  readonly #address: string;
  readonly #token: string;

  constructor({ url }: Studio) {
    const [address = "", token = ""] = url.split("/#token=");
    this.#address = address;
    this.#token = token;
  }

  /** @param body - Sent by POST. */
  ask(path: string, body?: object): Promise<Response> {
    const headers = { "x-skein-studio": this.#token };
    if (!body) return fetch(this.#address + path, { headers });
    return fetch(this.#address + path, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  async read<T>(path: string, body?: object): Promise<T> {
    const response = await this.ask(path, body);
    const text = await response.text();
    // oxlint-disable-next-line vitest/no-standalone-expect -- called by tests
    expect({ status: response.status, text: response.status === 200 ? "" : text }).toEqual({
      status: 200,
      text: "",
    });
    return JSON.parse(text);
  }

  /** The ids of all runs, the oldest first. */
  async runIds(): Promise<readonly string[]> {
    const { body } = await this.ask("/studio/events");
    let text = "";
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      const [, frame] = /^data: (\{"type":"runs".*)\n\n/m.exec(text) ?? [];
      if (frame === undefined) continue;
      const { runs }: { readonly runs: readonly { readonly id: string }[] } = JSON.parse(frame);
      return runs.map(({ id }) => id);
    }
    return [];
  }

  run(id: string): Promise<RunDetail> {
    return this.read(`/studio/runs/${encodeURIComponent(id)}`);
  }

  /** A run once it does not work any more. */
  async ended(id: string): Promise<RunDetail> {
    // oxlint-disable-next-line vitest/no-standalone-expect -- called by tests
    await expect.poll(() => this.#statusOf(id), { timeout: 15_000 }).not.toMatch(/running|unknown/);
    return this.run(id);
  }

  async #statusOf(id: string): Promise<string> {
    const response = await this.ask(`/studio/runs/${encodeURIComponent(id)}`);
    const detail: Partial<RunDetail> = await response.json();
    return detail.status ?? "unknown";
  }
}
