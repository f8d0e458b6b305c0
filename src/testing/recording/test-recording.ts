import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer, type TestServer } from "../../providers/openai/test-server.ts";
import { type Exchange, parseRecording } from "./format.ts";

/** What a test records: a server, and a file in a folder that is not there yet. */
export interface TestRecording {
  readonly server: TestServer;
  readonly folder: string;
  readonly file: string;
  /** The file as it is. */
  text(): string;
  exchanges(): readonly Exchange[];
  close(): Promise<void>;
}

/** Starts a server, and makes a folder; `close` ends and removes both. */
export async function openRecording(): Promise<TestRecording> {
  const server = await startServer();
  const folder = mkdtempSync(join(tmpdir(), "recordings-"));
  const file = join(folder, "some", "exchange.jsonl");
  const text = (): string => readFileSync(file, "utf8");
  return {
    server,
    folder,
    file,
    text,
    exchanges: () => parseRecording(text(), file),
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
