import { useState } from "preact/hooks";
import type { VNode } from "preact";
import type { ReplayMessage, ReplayTool, ReplayView, RunDetail } from "../src/studio/records.ts";
import { ask } from "./api.ts";
import { plural } from "./format.ts";
import { Kbd, modifier, useKeys } from "./keys.tsx";
import { leadOf } from "./leads.ts";
import { NoRun } from "./run-head.tsx";
import { announcement, go, href } from "./state.ts";
import { ErrorNote, LongText, plain, pretty, Text } from "./text.tsx";
import { useOfRun } from "./use-run.ts";

/** Repeats a run from one of its model calls on, with what a person changes. */
export function Replay({ id, step }: { id: string; step: number }): VNode {
  const { value: run, ...failure } = useOfRun<RunDetail>(id);
  const { value: view, ...ownFailure } = useOfRun<ReplayView>(id, "replay", step);
  return run && view ? <OpenReplay run={run} view={view} /> : <NoRun {...(run ? ownFailure : failure)} />;
}

function OpenReplay({ run, view }: { run: RunDetail; view: ReplayView }): VNode {
  const [model, setModel] = useState("");
  const before = view.instructions ?? "";
  const [instructions, setInstructions] = useState(before);
  const [edits, setEdits] = useState<ReadonlyMap<number, string>>(new Map());
  const [executed, setExecuted] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    if (isBusy || !view.isServed) return;
    setBusy(true);
    setProblem("");
    try {
      const body = {
        step: view.step,
        model,
        ...(instructions !== before && { instructions }),
        edits: [...edits].map(([index, text]) => ({ index, text })),
        execute: [...executed],
      };
      const answer = await ask<{ id: string }>(`/studio/replay/${encodeURIComponent(run.id)}`, { body });
      announcement.value = "The replay runs.";
      go("runs", answer.id);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  useKeys([
    { on: "mod+Enter", show: [modifier, "↵"], label: "replay", inText: true, run: () => void start() },
    { on: "Escape", show: ["esc"], label: "back", run: () => go("runs", run.id) },
  ]);
  const edit = (index: number, text: string | undefined): void => {
    const next = new Map(edits);
    if (text === undefined) next.delete(index);
    else next.set(index, text);
    setEdits(next);
  };
  const tick = (name: string): void => {
    const next = new Set(executed);
    if (!next.delete(name)) next.add(name);
    setExecuted(next);
  };
  const name = plain(view.agent);
  return (
    <main class="view">
      <header class="head tight">
        <div class="l1">
          <h1>Replay from turn {view.turn}</h1>
          <span class="dim hide-m">
            {name},{" "}
            <a class="ln" href={href("runs", run.id)}>
              {run.input === "" ? "its run" : <Text of={run.input.slice(0, 60)} />}
            </a>
          </span>
        </div>
      </header>
      <div class="tc">
        <div class="wrap">
          <div class="split">
            <div>
              {view.messages.map((message) => (
                <HistoryMessage
                  key={message.index}
                  message={message}
                  edit={edits.get(message.index)}
                  onEdit={(text) => edit(message.index, text)}
                />
              ))}
            </div>
            <div>
              <section class="ask" aria-label="Replay">
                <header>
                  <h2>From here on</h2>
                </header>
                <form onSubmit={(event) => event.preventDefault()}>
                  <div class={model === "" ? "f" : "f ed"}>
                    <label for="replay-model">
                      Model <span>was {plain(view.model)}</span>
                    </label>
                    <input
                      id="replay-model"
                      value={model}
                      placeholder="the agent's own"
                      onInput={({ currentTarget }) => setModel(currentTarget.value)}
                    />
                  </div>
                  <div class={instructions === before ? "f" : "f ed"}>
                    <label for="replay-instructions">
                      Instructions of {name} {instructions !== before && <span>edited</span>}
                    </label>
                    <textarea
                      id="replay-instructions"
                      rows={6}
                      value={instructions}
                      onInput={({ currentTarget }) => setInstructions(currentTarget.value)}
                    />
                  </div>
                  <Tools tools={view.tools} executed={executed} onTick={tick} />
                  {problem !== "" && <ErrorNote of={problem} role="alert" />}
                  {!view.isServed && (
                    <ErrorNote
                      of={`${view.isUnnamed ? "The recording does not name its agent" : `The studio has no agent ${name}`}: it cannot be run here.`}
                    />
                  )}
                  <div class="acts">
                    <button
                      class="btn go"
                      type="button"
                      disabled={isBusy || !view.isServed}
                      onClick={() => void start()}
                    >
                      Replay <Kbd of={`${modifier} ↵`} />
                    </button>
                  </div>
                </form>
              </section>
            </div>
          </div>
        </div>
      </div>
    </main>
  );
}

/** The tools that are executed are ticked; the others have the results of the run before. */
function Tools({
  tools,
  executed,
  onTick,
}: {
  tools: readonly ReplayTool[];
  executed: ReadonlySet<string>;
  onTick: (name: string) => void;
}): VNode | null {
  if (tools.length === 0) return null;
  return (
    <fieldset class="redo">
      <legend>Execute again</legend>
      <p class="dim">Calls of the others have the results of this run, and nothing outside changes.</p>
      {tools.map(({ name, calls, policies }) => (
        <label key={name}>
          <input type="checkbox" checked={executed.has(name)} onChange={() => onTick(name)} />
          <b class="m">
            <Text of={name} />
          </b>
          <span class="dim3">{[plural(calls, "call"), ...policies.slice(0, 2).map(plain)].join(", ")}</span>
        </label>
      ))}
    </fieldset>
  );
}

const roles = { system: "System", user: "User", assistant: "Answer", tool: "Result" } as const;

function HistoryMessage({
  message: { index, role, about, text, isEditable },
  edit,
  onEdit,
}: {
  message: ReplayMessage;
  edit: string | undefined;
  onEdit: (text: string | undefined) => void;
}): VNode {
  const title = `${roles[role]}${about === undefined ? "" : ` of ${plain(about)}`}`;
  return (
    <section data-lead={role === "assistant" ? leadOf(about) : undefined}>
      <h3 class="edit">
        {title} <span class="grow" />
        {isEditable && (
          <button
            class="btn q"
            type="button"
            aria-label={`${edit === undefined ? "Edit" : "Undo"}: ${title}, message ${index + 1}`}
            onClick={() => onEdit(edit === undefined ? text : undefined)}
          >
            {edit === undefined ? "Edit" : "Undo"}
          </button>
        )}
      </h3>
      {edit === undefined ? (
        <LongText of={role === "tool" ? pretty(text) : text} label={title} class="code wrapped" />
      ) : (
        <div class="f ed">
          <textarea
            aria-label={`${title}, message ${index + 1}`}
            rows={Math.min(14, edit.split("\n").length + 2)}
            value={edit}
            onInput={({ currentTarget }) => onEdit(currentTarget.value)}
          />
        </div>
      )}
    </section>
  );
}
