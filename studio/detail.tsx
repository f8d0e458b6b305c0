import type { VNode } from "preact";
import type { ModelStep, RunDetail, Step, ToolStep } from "../src/studio/records.ts";
import { wholeText } from "./api.ts";
import { duration, exact, money } from "./format.ts";
import { Icon } from "./icons.tsx";
import { Kbd } from "./keys.tsx";
import { approvals, href } from "./state.ts";
import { ErrorNote, LongText, plain, pretty, Text } from "./text.tsx";

/** One step of a run: in numbers, and where its bytes are. */
export function Detail({
  run,
  step,
  replayed,
}: {
  run: RunDetail;
  step: Step | undefined;
  /** The model call that a replay from here begins with. */
  replayed: number | undefined;
}): VNode {
  return (
    <section class="panel det" aria-label="Detail" tabIndex={0}>
      <div class="ph">
        <h2>{step ? titleOf(step) : "No step yet"}</h2>
        <span class="grow" />
        {replayed !== undefined && (
          <a class="btn q" href={href("runs", run.id, "replay", replayed)}>
            Replay <Kbd of="r" />
          </a>
        )}
        {step?.kind === "model" && (
          <a class="btn q" href={href("runs", run.id, "wire", ...step.requests.slice(-1))}>
            Wire <Kbd of="w" />
          </a>
        )}
        {step?.kind === "tool" && (
          <a class="btn q" href={href("runs", run.id, "call", step.id)}>
            Call <Kbd of="↵" />
          </a>
        )}
      </div>
      {step?.kind === "model" && <ModelDetail run={run} step={step} />}
      {step?.kind === "tool" && <ToolDetail run={run} step={step} />}
      {step?.kind === "agent" && (
        <div class="db">
          <dl class="kv n">
            <dt>agent</dt>
            <dd>
              <Text of={step.agent} />
            </dd>
            <dt>status</dt>
            <dd>{step.status ?? "running"}</dd>
          </dl>
        </div>
      )}
      {step?.kind === "wait" && <WaitDetail run={run} isOpen={step.end === undefined} />}
    </section>
  );
}

function titleOf(step: Step): string {
  switch (step.kind) {
    case "model":
      return `Model call, turn ${step.turn}`;
    case "tool":
      return `Call of ${plain(step.toolName)}`;
    case "agent":
      return "Sub-agent";
    case "wait":
      return "Paused";
  }
}

function ModelDetail({ run, step }: { run: RunDetail; step: ModelStep }): VNode {
  const { usage, firstToken, end, start, cost } = step;
  const input = usage?.inputTokens;
  const cached = usage?.cachedInputTokens ?? 0;
  const lost = step.break?.tokens ?? 0;
  const out = usage?.outputTokens;
  const writing = end !== undefined && firstToken !== undefined ? end - firstToken : 0;
  return (
    <div class="db">
      {step.break && (
        <div class="note">
          <Icon name="cut" class="warn" />
          <p>
            <b>The prefix breaks at</b> <code>{plain(step.break.path)}</code>
            {step.break.character !== undefined && `, character ${exact(step.break.character)}`}
            {lost > 0 && `: ${exact(lost)} tokens paid again`}
            {step.break.cost !== undefined && step.break.cost > 0 && `, ${money(step.break.cost)} lost`}.
          </p>
          <a class="btn" href={href("runs", run.id, "wire", ...step.requests.slice(-1))}>
            Show
          </a>
        </div>
      )}
      {step.error !== undefined && <ErrorNote of={step.error} />}
      {input !== undefined && input > 0 && (
        <div>
          <h3>Input, {exact(input)} tokens in prefix order</h3>
          <Stack cached={cached} lost={lost} all={input} />
          <dl class="kv n">
            <dt>read from cache</dt>
            <dd>{usage?.cachedInputTokens === undefined ? "not reported" : exact(cached)}</dd>
            {lost > 0 && (
              <>
                <dt class="warn">paid again</dt>
                <dd class="warn">{exact(lost)}</dd>
              </>
            )}
            <dt>new</dt>
            <dd>{exact(Math.max(0, input - cached - lost))}</dd>
          </dl>
        </div>
      )}
      <div>
        <h3>Call</h3>
        <dl class="kv n">
          <dt>model</dt>
          <dd>
            <Text of={`${step.provider}:${step.modelId}`} />
          </dd>
          {firstToken !== undefined && (
            <>
              <dt>first token</dt>
              <dd>{duration(firstToken - start)}</dd>
            </>
          )}
          {out !== undefined && writing > 20 && (
            <>
              <dt>speed</dt>
              <dd>{exact(Math.round((out / writing) * 1_000))} tokens/s</dd>
            </>
          )}
          {out !== undefined && (
            <>
              <dt>output</dt>
              <dd>
                {exact(out)} tokens, {step.finishReason}
              </dd>
            </>
          )}
          {step.failures?.map((failure, index) => (
            <>
              <dt class="bad">attempt {index + 1}</dt>
              <dd>
                <Text of={failure.error} />
                <span class="dim"> waited {duration(failure.delay)}</span>
              </dd>
            </>
          ))}
          {cost !== undefined && cost > 0 && (
            <>
              <dt>cost</dt>
              <dd>{money(cost)}</dd>
            </>
          )}
        </dl>
      </div>
      <div>
        <h3>Answer</h3>
        {run.source === "trace" && step.text === "" && step.calls.length === 0 && (
          <p class="dim">Not in the spans.</p>
        )}
        {step.reasoning !== "" && <LongText of={step.reasoning} class="code dim" label="Reasoning" />}
        {step.text !== "" && (
          <LongText
            of={step.text}
            label="Answer"
            {...(step.textLength !== undefined && { length: step.textLength })}
            load={() => wholeText(run.id, step.id)}
          />
        )}
        {step.calls.map((call) => (
          <LongText key={call.toolCallId} of={`${call.toolName}\n${pretty(call.arguments)}`} label="Call" />
        ))}
      </div>
    </div>
  );
}

/** The input of one request in prefix order. */
export function Stack({ cached, lost, all }: { cached: number; lost: number; all: number }): VNode {
  const fresh = Math.max(0, all - cached - lost);
  return (
    <div
      class="stack"
      role="img"
      aria-label={`${exact(cached)} read from cache, ${exact(lost)} paid again, ${exact(fresh)} new`}
    >
      {cached > 0 && <i class="hit" style={{ flex: cached }} />}
      {lost > 0 && <i class="lost" style={{ flex: lost }} />}
      {fresh > 0 && <i class="new" style={{ flex: fresh }} />}
    </div>
  );
}

function ToolDetail({ run, step }: { run: RunDetail; step: ToolStep }): VNode {
  return (
    <div class="db">
      <div>
        <h3>Arguments</h3>
        <LongText of={pretty(step.arguments)} label="Arguments" />
      </div>
      <div>
        <h3>
          {step.outcome === undefined || step.outcome === "success" ? "Result" : `Result: ${step.outcome}`}
        </h3>
        {step.error !== undefined && (
          <p class="bad">
            <Text of={step.error} />
          </p>
        )}
        {step.result === undefined ? (
          <p class="dim">none yet</p>
        ) : (
          <LongText
            of={pretty(step.result)}
            label="Result"
            {...(step.resultLength !== undefined && { length: step.resultLength })}
            load={() => wholeText(run.id, step.id)}
          />
        )}
      </div>
    </div>
  );
}

function WaitDetail({ run, isOpen }: { run: RunDetail; isOpen: boolean }): VNode {
  const waiting = approvals.value.find(({ runId }) => runId === run.id);
  return (
    <div class="db">
      {isOpen && waiting ? (
        <div class="note y">
          <p>
            <b>Waits for your decision.</b>
          </p>
          <a class="btn" href={href("approvals", waiting.approvalId)}>
            Decide
          </a>
        </div>
      ) : (
        <p class="dim">
          {isOpen
            ? "Waits for a decision or a result of the program that runs the agent."
            : "The run went on."}
        </p>
      )}
    </div>
  );
}
