import type { VNode } from "preact";
import type { ModelStep, RunDetail, Step, ToolStep, WaitStep } from "../src/studio/records.ts";
import { brief, clock, duration } from "./format.ts";
import { Chevron, Icon, type IconName } from "./icons.tsx";
import { leadOf } from "./leads.ts";
import { approvals, href } from "./state.ts";
import { Text } from "./text.tsx";

interface ConversationProps {
  readonly run: RunDetail;
  readonly selected: Step | undefined;
  readonly onSelect: (step: Step) => void;
}

/** What was said in a run, and who had the lead. */
export function Conversation({ run, selected, onSelect }: ConversationProps): VNode {
  const top = run.steps.filter(({ parent }) => parent === undefined);
  const items: VNode[] = [];
  let lead: string | undefined;
  top.forEach((step, index) => {
    if (step.kind === "model") {
      if (step.agent !== lead) items.push(<LeadChange key={`lead${step.id}`} from={lead} to={step.agent} />);
      lead = step.agent;
      const next = top.findIndex((other, place) => place > index && other.kind === "model");
      const calls = top.slice(index + 1, next < 0 ? undefined : next).filter((each) => each.kind === "tool");
      items.push(
        <Turn key={step.id} run={run} step={step} calls={calls} selected={selected} onSelect={onSelect} />,
      );
    }
    if (step.kind === "wait" && step.end === undefined)
      items.push(<Waiting key={step.id} run={run} step={step} from={lead} />);
  });
  return (
    <section class="panel conv" aria-label="Conversation" tabIndex={0}>
      <div class="ph">
        <h2>Conversation</h2>
        {run.session !== undefined && <span class="dim3 m">{run.session.slice(0, 8)}</span>}
      </div>
      <article class="msg" data-lead="you">
        <i class="dot" />
        <div class="who">
          You <span>{clock(run.startedAt)}</span>
        </div>
        {run.source === "trace" && run.question === "" ? (
          <p class="dim">Not in the spans: the program that sends them leaves content out.</p>
        ) : (
          <p>
            <Text of={run.question.slice(0, 20_000)} />
          </p>
        )}
      </article>
      {items}
    </section>
  );
}

/** The lead goes from one to another. */
export function LeadChange({ from, to }: { from: string | undefined; to: string }): VNode {
  return (
    <div class="lead" data-lead={leadOf(to)} data-from={leadOf(from)}>
      <Chevron />
      <b>
        <Text of={to} />
      </b>{" "}
      takes the lead
    </div>
  );
}

interface TurnProps extends ConversationProps {
  readonly step: ModelStep;
  readonly calls: readonly ToolStep[];
}

function Turn({ run, step, calls, selected, onSelect }: TurnProps): VNode {
  const isSelected = selected !== undefined && (selected === step || calls.some((call) => call === selected));
  return (
    <article
      class={isSelected ? "msg sel" : "msg"}
      data-lead={leadOf(step.agent)}
      onClick={() => onSelect(step)}
    >
      <div class="who">
        <Text of={step.agent} /> <span>turn {step.turn}</span>
      </div>
      <Words of={step} />
      {calls.length > 0 && (
        <div class="calls">
          {calls.map((call) => (
            <CallLine key={call.id} run={run} call={call} />
          ))}
        </div>
      )}
    </article>
  );
}

/** What a model has answered in a turn, and what it has failed with. */
export function Words({ of }: { of: Pick<ModelStep, "text" | "error"> }): VNode {
  return (
    <>
      {of.text !== "" && (
        <p>
          <Text of={of.text.slice(0, 20_000)} />
        </p>
      )}
      {of.error !== undefined && (
        <p class="bad">
          <Text of={of.error} />
        </p>
      )}
    </>
  );
}

/** The sign of a call, its colour, and what is said about it. */
export function lookOf(
  call: Pick<ToolStep, "outcome" | "waits" | "wasAsked" | "error">,
): readonly [icon: IconName, color: string, text: string] {
  if (call.waits) return ["wt", "you", "waits for you"];
  if (call.wasAsked) return ["wt", "dim", "was asked"];
  switch (call.outcome) {
    case undefined:
      return call.error === undefined ? ["dots", "", "runs"] : ["no", "bad", "failed"];
    case "success":
      return ["ok", "", ""];
    case "invalid-arguments":
      return ["no", "bad", "wrong arguments"];
    case "unknown-tool":
      return ["no", "bad", "unknown tool"];
    case "denied":
      return ["no", "you", "denied"];
    case "error":
      return ["no", "bad", "error"];
    case "timeout":
      return ["no", "bad", "timeout"];
    case "cancelled":
    case "not-executed":
      return ["no", "dim", call.outcome];
    default:
      return ["dots", "", ""];
  }
}

function CallLine({ run, call }: { run: RunDetail; call: ToolStep }): VNode {
  const [icon, color, text] = lookOf(call);
  return (
    <a
      class={`call${call.waits ? " wait" : ""}${color === "bad" ? " bad" : ""}`}
      href={href("runs", run.id, "call", call.id)}
    >
      <Icon name={icon} class={color} />
      <span class="m">
        <Text
          of={
            // Spans without content have no arguments to show, which is not the same as none.
            run.source === "trace" && call.arguments === ""
              ? call.toolName
              : `${call.toolName}(${brief(call.arguments).slice(0, 200)})`
          }
        />
      </span>
      <span class="n">{text === "" && call.end !== undefined ? duration(call.end - call.start) : text}</span>
    </a>
  );
}

function Waiting({ run, step, from }: { run: RunDetail; step: WaitStep; from: string | undefined }): VNode {
  const first = approvals.value.find(({ runId }) => runId === run.id);
  const names = step.calls.map(({ toolName }) => toolName).join(", ");
  return (
    <>
      <div class="lead" data-lead="you" data-from={leadOf(from)}>
        <Chevron />
        <b>You</b> have the lead
      </div>
      <div class="yours">
        <p>
          <span class="m">
            <Text of={names} />
          </span>{" "}
          {first ? "asks for your decision." : "waits: the program that runs the agent decides."}
        </p>
        {first && (
          <div class="acts">
            <a class="btn" href={href("approvals", first.approvalId)}>
              Decide
            </a>
          </div>
        )}
      </div>
    </>
  );
}
