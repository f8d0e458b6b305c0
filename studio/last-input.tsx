import type { VNode } from "preact";
import type { RunDetail } from "../src/studio/records.ts";
import { Stack } from "./detail.tsx";
import { exact } from "./format.ts";
import { Icon } from "./icons.tsx";
import { Kbd } from "./keys.tsx";
import { href } from "./state.ts";
import { plain } from "./text.tsx";

/** The input of the last request of a run, with a link to where its prefix breaks. */
export function LastInput({ run }: { run: RunDetail }): VNode | null {
  const step = run.steps.findLast((each) => each.kind === "model" && each.parent === undefined);
  if (step?.kind !== "model") return null;
  const { usage, requests } = step;
  const input = usage?.inputTokens ?? 0;
  return (
    <section>
      <h3>Input of the last request</h3>
      {input > 0 && (
        <Stack cached={usage?.cachedInputTokens ?? 0} lost={step.break?.tokens ?? 0} all={input} />
      )}
      <a class={step.break ? "warn" : "dim"} href={href("runs", run.id, "wire", ...requests.slice(-1))}>
        {step.break ? (
          <>
            <Icon name="cut" /> Prefix breaks at <code>{plain(step.break.path)}</code>
          </>
        ) : input > 0 ? (
          `${exact(input)} tokens`
        ) : (
          "Look at it"
        )}
      </a>{" "}
      <Kbd of="w" />
    </section>
  );
}
