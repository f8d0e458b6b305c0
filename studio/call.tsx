import { useState } from "preact/hooks";
import type { ComponentChildren, VNode } from "preact";
import type { ArgumentsView, RunDetail, ToolStep } from "../src/studio/records.ts";
import { Again } from "./again.tsx";
import { ask, runPath, wholeText } from "./api.ts";
import { copy } from "./copy.ts";
import { lookOf } from "./conversation.tsx";
import { clock, duration, exact } from "./format.ts";
import { Icon } from "./icons.tsx";
import { Kbd, useKeys } from "./keys.tsx";
import { NoRun } from "./run-head.tsx";
import { hasCase } from "../src/studio/has-case.ts";
import { approvals, go, href, info } from "./state.ts";
import { ErrorNote, LongText, plain, pretty, Text } from "./text.tsx";
import { useOfRun } from "./use-run.ts";

/** A call of a tool: its arguments as the model wrote them, as they were read, what is wrong where, and what came of it. */
export function Call({ id, step: number }: { id: string; step: number }): VNode {
  const { value: run, problem, isElse } = useOfRun<RunDetail>(id);
  const { value: view } = useOfRun<ArgumentsView>(id, "calls", number);
  const step = run?.steps[number - 1];
  if (!run || step?.kind !== "tool")
    return <NoRun problem={problem ?? (run && "It has no such call.")} isElse={isElse} />;
  return <OpenCall run={run} step={step} view={view} />;
}

function OpenCall({
  run,
  step,
  view,
}: {
  run: RunDetail;
  step: ToolStep;
  view: ArgumentsView | undefined;
}): VNode {
  const waiting = step.waits
    ? approvals.value.find((each) => each.runId === run.id && each.toolCallId === step.toolCallId)
    : undefined;
  const [isAgain, setAgain] = useState(false);
  const [code, setCase] = useState("");
  const [problem, setProblem] = useState("");
  const calls = run.steps.filter((each) => each.kind === "tool");
  const at = calls.findIndex((each) => each === step);
  const show = (index: number): void => {
    const next = calls[index];
    if (next) go("runs", run.id, "call", next.id);
  };
  const tool = info.value?.agents
    .find(({ name }) => name === step.agent)
    ?.tools.find(({ name }) => name === step.toolName);
  const canRun = tool !== undefined && tool.handsOffTo === undefined;
  const canCopy = canRun && hasCase(step);
  const copyCase = async (): Promise<void> => {
    try {
      const { text: code } = await ask<{ text: string }>(runPath(run.id, "case", step.id));
      setCase(code);
      copy(code, "The test is copied.");
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  useKeys([
    { on: "]", show: ["[", "]"], label: "call", run: () => show(at + 1) },
    { on: "[", label: "call before", run: () => show(at - 1) },
    { on: "t", show: ["t"], label: "timeline", run: () => go("runs", run.id) },
    ...(canRun ? [{ on: "e", show: ["e"], label: "run again", run: () => setAgain(!isAgain) }] : []),
    ...(canCopy ? [{ on: "s", show: ["s"], label: "as a test", run: () => void copyCase() }] : []),
    ...(waiting
      ? [{ on: "a", show: ["a"], label: "decide", run: () => go("approvals", waiting.approvalId) }]
      : []),
    { on: "Escape", show: ["esc"], label: "back", run: () => go("runs", run.id) },
  ]);
  const [icon, color, text] = lookOf(step);
  const chip = { you: " y", bad: " b" }[color] ?? "";
  const earlier = calls
    .slice(0, at)
    .findLast(
      (each) =>
        each.kind === "tool" && each.toolName === step.toolName && each.outcome === "invalid-arguments",
    );
  return (
    <main class="view">
      <header class="head tight">
        <div class="l1">
          <span class={`chip${chip}`}>
            <Icon name={icon} />
            {text === "" ? "success" : text}
          </span>
          <h1 class="m">
            <Text of={step.toolName} />
          </h1>
          <span class="dim hide-m">
            <Text of={step.agent} />, turn {step.turn},{" "}
            <a class="ln" href={href("runs", run.id)}>
              {run.input === "" ? "its run" : <Text of={run.input.slice(0, 60)} />}
            </a>
          </span>
          <span class="grow" />
          <span class="acts">
            {waiting && (
              <a class="btn go" href={href("approvals", waiting.approvalId)}>
                Decide
              </a>
            )}
            {canRun && (
              <button class="btn" type="button" aria-expanded={isAgain} onClick={() => setAgain(!isAgain)}>
                Run again <Kbd of="e" />
              </button>
            )}
            {canCopy && (
              <button class="btn" type="button" onClick={() => void copyCase()}>
                Copy as a test <Kbd of="s" />
              </button>
            )}
            <span class="dim3 n">
              {at + 1} of {calls.length}
            </span>
          </span>
        </div>
        <div class="facts">
          <span class="m">
            <Text of={step.toolCallId} />
          </span>
          <span>called {clock(step.start)}</span>
          {step.end !== undefined && <span>{duration(step.end - step.start)}</span>}
          {step.decided && (
            <span class="you">
              {step.outcome === "denied"
                ? "you denied it"
                : `you approved it${step.edited === undefined ? "" : " with other arguments"}`}
            </span>
          )}
        </div>
      </header>
      <div class="tc">
        <div class="wrap">
          {tool && tool.policies.length > 0 && (
            <section>
              <h3>What it passes, in order</h3>
              <ol class="steps">
                <li class={view && view.issues.length > 0 ? "bad" : ""}>
                  <Icon name={view && view.issues.length > 0 ? "no" : "ok"} />
                  {view?.isMended ? "arguments, mended" : "arguments"}
                </li>
                {tool.policies.map((policy) => (
                  <li key={policy} class={step.waits && policy.startsWith("approval") ? "now" : ""}>
                    {plain(policy)}
                  </li>
                ))}
              </ol>
            </section>
          )}
          {isAgain && view && <Again run={run} step={step} view={view} tool={tool} />}
          {problem !== "" && <ErrorNote of={problem} role="alert" />}
          {code !== "" && (
            <section>
              <h3>A test of vitest, copied</h3>
              <LongText of={code} label="Test" />
            </section>
          )}
          <section>
            <h3>Arguments</h3>
            {view ? (
              <Arguments view={view} />
            ) : (
              <div class="cols3">
                <div>
                  <LongText of={step.arguments} class="" label="Arguments" />
                </div>
              </div>
            )}
          </section>
          {step.edited !== undefined && (
            <section>
              <h3>Arguments that you approved</h3>
              <LongText of={pretty(step.edited)} label="Approved arguments" />
            </section>
          )}
          <section>
            <h3>
              {step.outcome === "invalid-arguments"
                ? "What the model was told"
                : "Result, as the model reads it"}
            </h3>
            {step.error !== undefined && <ErrorNote of={step.error} />}
            {step.result === undefined || step.waits ? (
              <p class="dim">
                {step.waits
                  ? "None yet: the call waits for a decision."
                  : step.wasAsked
                    ? "None here: the call waited."
                    : "none yet"}
              </p>
            ) : (
              <LongText
                of={pretty(step.result)}
                class="code wrapped"
                label="Result"
                {...(step.resultLength !== undefined && { length: step.resultLength })}
                load={() => wholeText(run.id, step.id)}
              />
            )}
          </section>
          {earlier && (
            <p class="dim">
              An earlier call of this tool had wrong arguments:{" "}
              <a class="ln" href={href("runs", run.id, "call", earlier.id)}>
                turn {earlier.turn}
              </a>
              .
            </p>
          )}
        </div>
      </div>
    </main>
  );
}

/** Arguments as they were written, as they were read, and as the tool gets them. */
function Arguments({ view }: { view: ArgumentsView }): VNode {
  const isFit = view.issues.length === 0;
  const showsRead =
    view.read !== undefined &&
    (view.isMended || !isFit || JSON.stringify(view.read) !== JSON.stringify(view.value));
  return (
    <div class={`cols3${showsRead && isFit ? "" : " c2"}`}>
      <div>
        <h3>
          As written <span>{exact(view.text.length)} characters</span>
        </h3>
        <LongText of={view.text} class="" label="As written" />
      </div>
      {(showsRead || !isFit) && (
        <div>
          <h3>
            {isFit ? "As it was read" : "What is wrong"}
            <span class={isFit ? "" : "bad"}>
              {isFit
                ? view.isMended
                  ? "mended"
                  : ""
                : `${view.issues.length} ${view.issues.length === 1 ? "issue" : "issues"}`}
            </span>
          </h3>
          <JsonLines value={view.read} view={view} />
        </div>
      )}
      {isFit && (
        <div>
          <h3>As the tool gets them</h3>
          <Values value={view.value} read={view.read} />
        </div>
      )}
    </div>
  );
}

/** The arguments by name; those that the model left out have their defaults. */
function Values({ value, read }: { value: unknown; read: unknown }): VNode {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const members = new Map(typeof read === "object" && read !== null ? Object.entries(read) : []);
  if (entries.length === 0) return <p class="dim">no arguments</p>;
  return (
    <dl class="kv m">
      {entries.map(([name, member]) => (
        <>
          <dt>
            <Text of={name} />
          </dt>
          <dd>
            <Text of={(JSON.stringify(member) ?? "").slice(0, 4_000)} />
            {!members.has(name) && <span class="dim3 sans"> default</span>}
            {members.has(name) && JSON.stringify(members.get(name)) !== JSON.stringify(member) && (
              <span class="warn sans">
                {" "}
                was <Text of={JSON.stringify(members.get(name)).slice(0, 400)} />
              </span>
            )}
          </dd>
        </>
      ))}
    </dl>
  );
}

/** A value as JSON, each issue below the line of its place. */
function JsonLines({ value, view }: { value: unknown; view: ArgumentsView }): VNode {
  const open = new Map<string, string[]>();
  for (const { path, message } of view.issues) {
    const key = JSON.stringify(path);
    open.set(key, [...(open.get(key) ?? []), message]);
  }
  const lines: ComponentChildren[] = [];
  const note = (path: readonly (string | number)[]): void => {
    const key = JSON.stringify(path);
    for (const message of open.get(key) ?? [])
      lines.push(
        <span class="issue">
          <Text of={message} />
        </span>,
      );
    open.delete(key);
  };
  const walk = (node: unknown, path: readonly (string | number)[], start: string, end: string): void => {
    const isWrong = open.has(JSON.stringify(path));
    if (lines.length > 2_000) return;
    if (typeof node === "object" && node !== null && Object.keys(node).length > 0) {
      const [left, right] = Array.isArray(node) ? "[]" : "{}";
      lines.push(`${start}${left}\n`);
      note(path);
      const members = Object.entries(node);
      members.forEach(([name, member], index) => {
        const indent = "  ".repeat(path.length + 1);
        const key = Array.isArray(node) ? index : name;
        walk(
          member,
          [...path, key],
          Array.isArray(node) ? indent : `${indent}${JSON.stringify(name)}: `,
          index < members.length - 1 ? "," : "",
        );
      });
      lines.push(`${"  ".repeat(path.length)}${right}${end}\n`);
      return;
    }
    const text = JSON.stringify(node) ?? "undefined";
    lines.push(
      <Text of={start} />,
      isWrong ? (
        <mark class="b">
          <Text of={text.slice(0, 4_000)} />
        </mark>
      ) : (
        <Text of={text.slice(0, 4_000)} />
      ),
      `${end}\n`,
    );
    note(path);
  };
  if (value !== undefined) walk(value, [], "", "");
  const rest = [...open].flatMap(([key, messages]) => messages.map((message) => `${placeOf(key)}${message}`));
  return (
    <pre tabIndex={0}>
      {lines}
      {rest.map((message) => (
        <span key={message} class="issue">
          <Text of={message} />
        </span>
      ))}
    </pre>
  );
}

/** A place that is not in the value: a parameter that is missing. */
function placeOf(key: string): string {
  const path: readonly (string | number)[] = JSON.parse(key);
  return path.length === 0 ? "" : `${path.join(".")}: `;
}
