import { statSync } from "node:fs";
import type { Compiler } from "../compiler/index.ts";
import { changedAt, createReach } from "./reach.ts";
import { createTransformer, type Transformed, type Transformer } from "./transformer.ts";

/** The compiler at work for one plugin: started when the first file needs it, and again after its end. */
export interface BuildSession {
  /** Attaches schemas in a file. `undefined` for one that has nothing to do with tools. */
  transform(file: string, code: string): Promise<Transformed | undefined>;
  /** A build begins, or a file is requested again: what has changed on disk since the last time is read again. */
  begin(): void;
  /** A file has changed, or is new. */
  changed(file: string, isNew?: boolean): void;
  /** Ends TypeScript's process. */
  close(): void;
}

interface Opened {
  readonly compiler: Compiler;
  readonly transformer: Transformer;
}

/** Makes a session in this process. */
export function createSession(): BuildSession {
  const reach = createReach();
  let opened: Promise<Opened> | undefined;
  let transformer: Transformer | undefined;
  /** When each file that was read had last been changed. */
  const read = new Map<string, number>();
  const changed = new Set<string>();
  let hasNew = false;
  /** When everything on disk had last been looked at. */
  let lookedAt = 0;

  async function open(): Promise<Opened> {
    lookedAt = Date.now();
    const { openCompiler } = await import("../compiler/index.ts");
    const compiler = await openCompiler();
    return { compiler, transformer: createTransformer(compiler) };
  }

  async function current(file: string): Promise<Transformer> {
    opened ??= open();
    ({ transformer } = await opened);
    // A file that came later may be one that the tsconfig includes, or that others could not find before.
    if (hasNew || (!read.has(file) && cameAfter(file, lookedAt))) {
      lookedAt = Date.now();
      transformer.changed();
    } else if (changed.size > 0) transformer.changed([...changed]);
    changed.clear();
    hasNew = false;
    return transformer;
  }

  async function attempt(file: string, code: string): Promise<Transformed | undefined> {
    reach.forget(changed);
    const reached = reach.from(file, code);
    if (reached.length === 0) return undefined;
    const result = (await current(file)).transform(file, code, reached);
    for (const path of [file, ...result.files]) read.set(path, changedAt(path));
    return result;
  }

  function close(): void {
    const closing = opened;
    opened = undefined;
    transformer = undefined;
    // A process that has ended already, or never started, cannot be stopped.
    closing?.then(({ compiler }) => compiler.close()).catch(() => undefined);
  }

  return {
    async transform(file, code) {
      try {
        return await attempt(file, code);
      } catch {
        // TypeScript's process may have been ended: once more with a new one, whose error counts.
        close();
        return attempt(file, code);
      }
    },
    begin() {
      const { files, hasNew: findsNew } = reach.refresh();
      hasNew ||= findsNew;
      for (const file of files) changed.add(file);
      for (const [path, time] of read) if (changedAt(path) !== time) changed.add(path);
    },
    changed(file, isNew = false) {
      changed.add(file);
      hasNew ||= isNew;
    },
    close,
  };
}

/** Clocks of file systems are a little off. */
const clockTolerance = 2_000;

/** Whether a file was created, moved or changed after a time. */
function cameAfter(file: string, time: number): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0) > time - clockTolerance;
}
