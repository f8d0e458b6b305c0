import { useState } from "preact/hooks";
import type { VNode } from "preact";
import type { ArgumentsView, CallAgainResult, RunDetail, ToolStep, ToolView } from "../src/studio/records.ts";
import { ask } from "./api.ts";
import { duration } from "./format.ts";
import { Kbd, modifier, useKeys } from "./keys.tsx";
import { draftOf } from "./field-values.ts";
import { Fields, isRecord } from "./schema-form.tsx";
import { ErrorNote, LongText, pretty, Text } from "./text.tsx";

interface AgainProps {
  readonly run: RunDetail;
  readonly step: ToolStep;
  readonly view: ArgumentsView;
  readonly tool: ToolView | undefined;
}

/** Executes the tool of a call again, with its arguments or others: asks first if the tool may change something. */
export function Again({ run, step, view, tool }: AgainProps): VNode {
  const read = view.value ?? view.read;
  const original = isRecord(read) ? read : {};
  const [draft, setDraft] = useState(() => draftOf(original));
  const [asks, setAsks] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [result, setResult] = useState<CallAgainResult | undefined>(undefined);
  const isReadOnly = tool?.isReadOnly === true;
  const execute = async (): Promise<void> => {
    if (isBusy || draft.issues.size > 0) return;
    if (!isReadOnly && !asks) return setAsks(true);
    setAsks(false);
    setBusy(true);
    setProblem("");
    try {
      const body = { arguments: JSON.stringify(draft.value), confirmed: true };
      const path = `/studio/again/${encodeURIComponent(run.id)}/${step.id}`;
      setResult(await ask<CallAgainResult>(path, { body }));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  useKeys([
    { on: "mod+Enter", show: [modifier, "↵"], label: "run", inText: true, run: () => void execute() },
  ]);
  return (
    <section class="ask flat" aria-label="Run again">
      <form onSubmit={(event) => event.preventDefault()}>
        <Fields
          schema={view.schema}
          draft={draft}
          original={original}
          issues={[]}
          onChange={(next) => {
            setDraft(next);
            setAsks(false);
          }}
        />
        {asks && (
          <div class="note y" role="alert">
            <p>
              <b class="m">
                <Text of={step.toolName} />
              </b>{" "}
              is not marked as one that changes nothing: it is executed for real.
            </p>
          </div>
        )}
        {problem !== "" && <ErrorNote of={problem} role="alert" />}
        <div class="acts">
          <button
            class="btn go"
            type="button"
            disabled={isBusy || draft.issues.size > 0}
            onClick={() => void execute()}
          >
            {asks ? "Run it for real" : "Run"} <Kbd of={`${modifier} ↵`} />
          </button>
          {asks && (
            <button class="btn" type="button" onClick={() => setAsks(false)}>
              Do not
            </button>
          )}
        </div>
        {result && (
          <div role="status">
            <h3>
              {result.outcome === "success" ? "Result now" : `Result now: ${result.outcome}`}{" "}
              <span class="dim3">{duration(result.duration)}</span>
            </h3>
            <LongText of={pretty(result.text)} label="Result now" class="code wrapped" />
          </div>
        )}
      </form>
    </section>
  );
}
