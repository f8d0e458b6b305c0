import { signal } from "@preact/signals";
import type { VNode } from "preact";
import type { RequestDetail, RunDetail } from "../src/studio/records.ts";
import { wholeBody } from "./api.ts";
import { exact } from "./format.ts";
import { LongText, pretty, Text } from "./text.tsx";

/** Whether the body is shown as it was sent, or indented. */
export const isRaw = signal(true);

/** Why there are no bytes. */
function withoutWire({ source }: RunDetail): string {
  return source === "trace" ? "Spans have no bytes" : "This model has no wire that the studio can see";
}

/** A part of a request. */
export function Body({ run, detail }: { run: RunDetail; detail: RequestDetail }): VNode {
  const { body, bodyLength, isRedacted, isWire } = detail;
  if (body === undefined) return <p class="dim">Its bytes were dropped to save memory.</p>;
  return (
    <>
      <LongText
        of={isRaw.value || bodyLength !== undefined ? body : pretty(body)}
        label="Body"
        class="code wrapped"
        {...(bodyLength !== undefined && {
          length: bodyLength,
          load: () => wholeBody(run.id, detail.number),
        })}
      />
      <p class="dim small">
        {isWire
          ? `${exact(detail.size)} characters, as they were sent${isRedacted ? "; secrets are redacted" : ""}.`
          : `${withoutWire(run)}: this is what ${run.source === "trace" ? "they say of the request" : "Skein passed on to it"}.`}
      </p>
    </>
  );
}

/** A part of a request. */
export function Headers({ run, detail }: { run: RunDetail; detail: RequestDetail }): VNode {
  const { url, headers, answer, status, failure } = detail;
  if (!detail.isWire) return <p class="dim">{withoutWire(run)}.</p>;
  const lines = (all: Readonly<Record<string, string>>): string =>
    Object.entries(all)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n");
  return (
    <>
      <LongText of={`POST ${url}\n${lines(headers)}`} label="Headers of the request" />
      {answer && <LongText of={`${status}\n${lines(answer.headers)}`} label="Headers of the answer" />}
      {failure !== undefined && (
        <p class="bad">
          <Text of={failure} />
        </p>
      )}
      <p class="dim small">Values that may be secret are redacted, as in recordings.</p>
    </>
  );
}

/** A part of a request. */
export function Answer({ run, detail }: { run: RunDetail; detail: RequestDetail }): VNode {
  const { answer, failure } = detail;
  const step = run.steps.find(({ id }) => id === detail.step);
  if (!answer) {
    if (failure !== undefined)
      return (
        <p class="bad">
          <Text of={failure} />
        </p>
      );
    if (detail.isWire || step?.kind !== "model") return <p class="dim">No answer has come yet.</p>;
    return (
      <LongText
        of={[step.text, ...step.calls.map((call) => `${call.toolName} ${call.arguments}`)]
          .filter(Boolean)
          .join("\n")}
        label="Answer"
      />
    );
  }
  return (
    <>
      {answer.end !== undefined && (
        <div class="note b">
          <p>{answer.end === "cut" ? "The connection broke." : "The rest was not read."}</p>
        </div>
      )}
      <ol class="pieces">
        {answer.pieces.map((piece, index) => (
          <li key={index}>
            <span class="n dim3">
              {index === 0 ? "" : "+"}
              {piece.at} ms
            </span>
            <pre tabIndex={-1}>
              <Text of={piece.text.trimEnd().slice(0, 8_192)} />
            </pre>
          </li>
        ))}
      </ol>
      {answer.pieces.length < detail.pieces && (
        <p class="dim">
          The first {exact(answer.pieces.length)} of {exact(detail.pieces)} pieces are shown.
        </p>
      )}
    </>
  );
}
