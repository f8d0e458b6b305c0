import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, runPath, StudioError } from "./api.ts";
import { runs } from "./state.ts";

/** What was read, or why it could not be. */
export interface Loaded<T> {
  readonly value?: T;
  readonly problem?: string | undefined;
  /** Set where the problem is another one than that there is no such thing. */
  readonly isElse?: boolean | undefined;
}

/** Reads something of a run, again whenever the run changes: one request at a time. */
export function useOfRun<T>(id: string, ...parts: readonly (string | number)[]): Loaded<T> {
  const path = runPath(id, ...parts);
  const [loaded, setLoaded] = useState<Loaded<T> & { readonly path?: string }>({});
  const state = useRef({ path, isReading: false, isOutdated: false });
  state.current.path = path;
  const read = async (): Promise<void> => {
    const current = state.current;
    if (current.isReading) {
      current.isOutdated = true;
      return;
    }
    current.isReading = true;
    const requestedPath = current.path;
    try {
      const value = await ask<T>(requestedPath);
      setLoaded({ value, path: requestedPath });
    } catch (error) {
      setLoaded((before) => ({
        ...(before.path === requestedPath && before),
        problem: String(error instanceof Error ? error.message : error),
        isElse: !(error instanceof StudioError && error.status === 404),
        path: requestedPath,
      }));
    }
    current.isReading = false;
    const isElse = current.path !== requestedPath;
    if (!current.isOutdated && !isElse) return;
    current.isOutdated = false;
    await read();
  };
  useEffect(() => void read(), [path]);
  const revision = useRef<number | undefined>(undefined);
  useSignalEffect(() => {
    const next = runs.value.get(id)?.revision;
    if (next === revision.current) return;
    revision.current = next;
    void read();
  });
  return loaded.path === path ? loaded : {};
}
