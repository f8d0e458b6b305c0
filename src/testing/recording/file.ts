import { absolutePath } from "../../base/util/absolute-path.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { ConfigurationError, SkeinError } from "../../errors.ts";
import { type Exchange, formatExchange, header, parseRecording } from "./format.ts";
import type { Redaction } from "./secrets.ts";

/** Where a recording is kept. */
export type RecordingFile = string | URL;

/** What is needed of `node:fs`. */
interface FileSystem {
  existsSync(file: RecordingFile): boolean;
  readFileSync(file: RecordingFile, encoding: "utf8"): string;
  writeFileSync(file: RecordingFile, text: string): void;
  appendFileSync(file: RecordingFile, text: string): void;
  mkdirSync(folder: RecordingFile, options: { readonly recursive: true }): unknown;
}

/** A recording that is being made. */
export interface RecordingWriter {
  /** Reserves the next place in the file; the returned function writes the exchange there. */
  begin(): (exchange: Exchange, redact: Redaction) => void;
}

/** Rewrites a file, exchange by exchange, in the order in which they began: that of the file is the same each time. */
export function writeRecording(file: RecordingFile): RecordingWriter {
  const path = typeof file === "string" ? absolutePath(file) : file;
  const places: (string | undefined)[] = [];
  let nextPlace = 0;
  return {
    begin() {
      const place = places.push(undefined) - 1;
      return (exchange, redact) => {
        places[place] = formatExchange(exchange, redact);
        for (let next = places[nextPlace]; next; next = places[nextPlace]) {
          append(path, next, nextPlace === 0);
          nextPlace++;
        }
      };
    },
  };
}

/**
 * The exchanges of a file.
 * @throws SkeinError (`recording-missing`, `recording-unreadable`)
 */
export function readRecording(file: RecordingFile): readonly Exchange[] {
  const files = fileSystem();
  if (!files.existsSync(file)) {
    throw new SkeinError(
      `There is no recording ${nameOf(file)}. Make it with record(), or with SKEIN_RECORD=1 where recorded() is used.`,
      { code: "recording-missing", data: { file: nameOf(file) } },
    );
  }
  return parseRecording(readText(files, file), nameOf(file));
}

/** @throws SkeinError (`recording-unreadable`) for a folder, say */
function readText(files: FileSystem, file: RecordingFile): string {
  try {
    return files.readFileSync(file, "utf8");
  } catch (cause) {
    throw new SkeinError(`The recording ${nameOf(file)} cannot be read: ${errorMessage(cause)}`, {
      code: "recording-unreadable",
      data: { file: nameOf(file) },
      cause,
    });
  }
}

/** The file as people write it. */
export function nameOf(file: RecordingFile): string {
  return typeof file === "string" ? file : decodeURIComponent(file.pathname);
}

function append(file: RecordingFile, line: string, isFirst: boolean): void {
  const files = fileSystem();
  if (!isFirst) return files.appendFileSync(file, line);
  const folder = folderOf(file);
  if (folder !== undefined) files.mkdirSync(folder, { recursive: true });
  files.writeFileSync(file, header + line);
}

function folderOf(file: RecordingFile): RecordingFile | undefined {
  if (typeof file !== "string") return new URL(".", file);
  return /^(.*[^/\\])[/\\]+[^/\\]+$/.exec(file)?.[1];
}

/** Asked for, not imported: this entry is loaded on runtimes without files, too. */
function fileSystem(): FileSystem {
  const files: FileSystem | undefined = globalThis.process?.getBuiltinModule?.("node:fs");
  if (files) return files;
  throw new ConfigurationError(
    "Recordings are files: this runtime has none. Record and replay on Node, Bun or Deno.",
    {
      code: "no-files",
    },
  );
}
