import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Reply } from "./local-server.ts";
import type { Protocol } from "./protocols.ts";

const folder = fileURLToPath(new URL("../../../shared/wire/", import.meta.url));

/** Whether there are recorded exchanges beside this checkout. */
export const areRecordingsHere: boolean = existsSync(folder);

/** What a test says that skips for want of them. */
export const noRecordings = "Skipped: there are no recorded exchanges beside this checkout.";

/** A recorded answer. */
export interface Recording {
  /** Its path. */
  readonly name: string;
  readonly text: string;
  readonly reply: Reply;
}

/** The recorded answers of a protocol. Events that were recorded without their envelope get one. */
export function recordings(protocol: Protocol): Recording[] {
  if (!areRecordingsHere) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return files.flatMap((name): Recording[] => {
    if (!name.replace("events/", "").startsWith(`${protocol}/`) || name.endsWith(".request.json")) return [];
    if (!/\.(?:json|sse|txt)$/.test(name)) return [];
    const text = readFileSync(folder + name, "utf8");
    if (name.endsWith(".json")) return [{ name, text, reply: { type: "application/json", pieces: [text] } }];
    if (name.endsWith(".sse")) return [{ name, text, reply: { pieces: [text] } }];
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const end = protocol === "chat" ? "data: [DONE]\n\n" : "";
    const framed = lines.map((line) => `data: ${line}\n\n`).join("") + end;
    return [{ name, text: framed, reply: { pieces: [framed] } }];
  });
}
