import { canonicalJson } from "../lock/canonical.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { LockedTool, LockedTools } from "../lock/lock.ts";
import type { SchemaChange } from "./schema-change.ts";

/** What became of one locked tool. */
export interface ToolDrift {
  readonly tool: string;
  readonly kind: "new" | "removed" | "changed";
  /** Whether callers of the locked tool may fail now: what they send is refused, or what they read is missing. */
  readonly isBreaking: boolean;
  /** What changed in a tool that is still there, one sentence each, the breaking ones first. */
  readonly changes: readonly string[];
  /** The tool's own version did not change with it. */
  readonly isUnversioned: boolean;
}

/** What changed from the locked tools of an origin to those it has now, by name. */
export function driftOf(locked: LockedTools, current: LockedTools): readonly ToolDrift[] {
  const names = [...new Set([...Object.keys(locked), ...Object.keys(current)])].toSorted();
  return names.flatMap((tool): ToolDrift[] => {
    const before = Object.hasOwn(locked, tool) ? locked[tool] : undefined;
    const after = Object.hasOwn(current, tool) ? current[tool] : undefined;
    const isUnversioned = false;
    if (before === undefined) return [{ tool, kind: "new", isBreaking: false, changes: [], isUnversioned }];
    if (after === undefined) return [{ tool, kind: "removed", isBreaking: true, changes: [], isUnversioned }];
    if (before.fingerprint === after.fingerprint) return [];
    return [compareTools(tool, before, after)];
  });
}

interface Change {
  readonly text: string;
  readonly isBreaking: boolean;
}

function compareTools(tool: string, before: LockedTool, after: LockedTool): ToolDrift {
  const inputs = compareSchemas(before.inputSchema, after.inputSchema).map((change): Change => ({
    text: sentence("the arguments", change),
    isBreaking: change.kind === "narrowed" || change.kind === "removed",
  }));
  const allChanges = [...inputs, ...outputChanges(before, after), ...wordChanges(before, after)];
  const changes =
    allChanges.length > 0
      ? allChanges
      : [{ text: "its schema is written in another way", isBreaking: false }];
  const ordered = [...changes].sort((left, right) => Number(right.isBreaking) - Number(left.isBreaking));
  const isBreaking = changes.some((change) => change.isBreaking);
  const isUnversioned = isBreaking && before.version !== undefined && before.version === after.version;
  const texts = [...new Set(ordered.map(({ text }) => text))];
  return { tool, kind: "changed", isBreaking, changes: texts, isUnversioned };
}

/** A result that may be more than it was, or has less in it, breaks its readers. */
function outputChanges(before: LockedTool, after: LockedTool): Change[] {
  const [earlier, later] = [before.outputSchema, after.outputSchema];
  if (earlier === undefined || later === undefined) {
    if (earlier === later) return [];
    return [
      earlier === undefined
        ? { text: "its result has a schema now", isBreaking: false }
        : { text: "its result has no schema any more", isBreaking: true },
    ];
  }
  return compareSchemas(earlier, later).map((change) => ({
    text: sentence("the result", change),
    isBreaking: change.kind === "widened" || change.kind === "removed",
  }));
}

function wordChanges(before: LockedTool, after: LockedTool): Change[] {
  if (canonicalJson(before.description ?? "") === canonicalJson(after.description ?? "")) return [];
  return [{ text: "its description changed", isBreaking: false }];
}

function sentence(whole: string, { path, message }: SchemaChange): string {
  const subject = path === "" ? whole : whole === "the result" ? `${path} of the result` : path;
  return `${subject} ${message}`;
}
