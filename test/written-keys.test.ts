import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Where a key is not `__proto__`, by why. Anything else is `defineOwn`, `mergeOwn`, a spread or a `Map`. */
const places: Readonly<Record<string, readonly string[]>> = {
  "The key is a number": [
    "model/hide-secrets.ts [count++]",
    "model/hide-secrets.ts [count]",
    "model/secret-pieces.ts [1]",
    "base/util/base64.ts [index]",
    "base/util/map-limit.ts [index]",
    "base/util/to-json.ts [maxNotes]",
    "base/stream/partial-json.ts [Number(place)]",
    "durable/memory/heap.ts [place]",
    "executor/policies/rate-limit.ts [this.#oldest]",
    "model/answer-stream.ts [events.length - 1]",
    "protocols/ag-ui/transcript.ts [place]",
    "protocols/ui-messages/agent-parts.ts [at]",
    "providers/anthropic/request-messages.ts [turns.length - 1]",
    "providers/google/contents.ts [turns.length - 1]",
    "providers/openai/chat/extras.ts [place]",
    "run/steps/performed-calls.ts [slot]",
    "schema/patterns/match-linear.ts [index]",
    "schema/patterns/match-linear.ts [place]",
    "sources/compiler/types/sharing.ts [node.id]",
    "sources/compiler/types/sharing.ts [part.id]",
    "sources/compiler/types/sharing.ts [root.id]",
    "studio/replay/start-replay.ts [index]",
    "testing/recording/file.ts [place]",
    "testing/recording/frames.ts [index]",
    "tool/derive.ts [use]",
  ],
  "The key is a symbol, or one of a few names in the file": [
    "base/util/attached-lines.ts [key]",
    "cli/module-loader.ts [extension]",
    "connectors/mcp/client/host.ts [key]",
    "connectors/openapi/convert-schema.ts [keyword]",
    "protocols/ag-ui/lane-text.ts [kind]",
    "providers/openai/chat/extras.ts [field]",
    "providers/openai/chat/messages.ts [field]",
    "providers/openai/chat/reasoning-details.ts [key]",
    "run/session/claim.ts [key]",
    "sources/compiler/typescript-process.ts [name]",
    "studio/otlp/decode-protobuf.ts [name]",
    "tracing/chat-attributes.ts [attribute.cacheCreation]",
    "tracing/chat-attributes.ts [attribute.cacheRead]",
    "tracing/chat-attributes.ts [attribute.cacheWrite]",
    "tracing/chat-attributes.ts [attribute.compacted]",
    "tracing/chat-attributes.ts [attribute.firstChunk]",
    "tracing/chat-attributes.ts [attribute.inputTokens]",
    "tracing/chat-attributes.ts [attribute.outputTokens]",
    "tracing/chat-attributes.ts [attribute.outputType]",
    "tracing/chat-attributes.ts [attribute.provider]",
    "tracing/chat-attributes.ts [attribute.reasoningTokens]",
    "tracing/chat-attributes.ts [attribute.responseId]",
    "tracing/chat-attributes.ts [name]",
    "tracing/trace-tool.ts [attribute.toolDescription]",
  ],
  "The key begins with #": ["sources/compiler/types/revival.ts [place]"],
  "The lines before leave __proto__ out, or define it": [
    "base/stream/partial-json.ts [place]",
    "base/util/copy-json.ts [key]",
    "base/util/plain-copy.ts [key]",
    "base/util/snapshot.ts [key]",
    "schema/lenient/read-value.ts [key]",
    "tracing/run-trace.ts [further]",
  ],
  "The object has no prototype": ["tool/statistics.ts [name]"],
};

/** Writes to computed keys: `target[key] = value`, also with `+=` and `??=`. */
const write = /[\w)\]](\[(?!["'`])[^[\]]+\])!? (?:\?\?|\|\||&&|[-+*/])?= /g;

function writesIn(text: string): readonly string[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  return [...code.matchAll(write)].map(([, key = ""]) => key);
}

test("no key from outside is assigned: __proto__ would become the prototype", () => {
  const files = globSync("src/**/*.ts", {
    cwd: root,
    exclude: ["**/*.test.ts", "**/*.test-d.ts", "**/test-*.ts", "**/fixtures/**"],
  });
  const writes = files.flatMap((file) =>
    writesIn(readFileSync(root + file, "utf8")).map(
      (key) => `${file.replaceAll("\\", "/").slice("src/".length)} ${key}`,
    ),
  );
  expect([...new Set(writes)].toSorted()).toEqual(Object.values(places).flat().toSorted());
});

test.each([
  ["target[key] = value;", ["[key]"]],
  ["(this.#fields[field] ??= []).push(x);", ["[field]"]],
  ["counts[name] += 1;", ["[name]"]],
  ['target["key"] = value; const [a] = list; const rows: Row[] = [];', []],
])("%s", (code, keys) => {
  expect(writesIn(code)).toEqual(keys);
});
