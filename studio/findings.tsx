import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { VNode } from "preact";
import type { CheckedAgentView, CheckView, FindingView } from "../src/studio/check-view.ts";
import { ask } from "./api.ts";
import { plural } from "./format.ts";
import { Icon } from "./icons.tsx";
import { info } from "./state.ts";
import { plain, Text } from "./text.tsx";

/** What the last check has found: it stays until the next one is done. */
const checked = signal<CheckView | undefined>(undefined);
const isChecking = signal(false);

let round = 0;

async function readCheck(): Promise<void> {
  const own = ++round;
  isChecking.value = true;
  try {
    const view = await ask<CheckView>("/studio/check");
    // That of files as they were may come later than that of files as they are.
    if (own === round) checked.value = view;
  } catch {
    // The stream says that the connection is lost.
  }
  if (own === round) isChecking.value = false;
}

/** Has the tools checked while the page of the agents is there, again whenever they are loaded again. */
export function useCheck(): void {
  const loadedAt = info.value?.loadedAt;
  useEffect(() => {
    if (loadedAt !== undefined) void readCheck();
  }, [loadedAt]);
}

/** Where an agent and its tools are written, and what was found in them. */
export function checkedAgent(name: string): CheckedAgentView | undefined {
  return checked.value?.agents.find((agent) => agent.name === name);
}

/** How many findings there are in all. */
export function CheckCount(): VNode | null {
  const view = checked.value;
  if (!view) return isChecking.value ? <span class="dim3">being checked</span> : null;
  if (view.problem !== undefined) return null;
  // A tool of two agents has its findings at both.
  const all = new Map(findingsOf(view).map((each) => [`${each.rule} ${each.at} ${each.message}`, each]));
  return <Count of={[...all.values()]} />;
}

/** How many errors and warnings there are; nothing if there are none. */
export function Count({ of }: { of: readonly FindingView[] }): VNode | null {
  const errors = of.filter(({ level }) => level === "error").length;
  const warnings = of.length - errors;
  return (
    <>
      {errors > 0 && <span class="chip b">{plural(errors, "error")}</span>}
      {warnings > 0 && <span class="chip w">{plural(warnings, "warning")}</span>}
    </>
  );
}

/** Why there are no findings, and those that are about no agent. */
export function CheckNotes(): VNode | null {
  const { problem, others = [] } = checked.value ?? {};
  if (problem !== undefined)
    return (
      <p class="dim">
        <Text of={problem} />
      </p>
    );
  if (others.length === 0) return null;
  return (
    <section>
      <h3>In the file, but of no agent</h3>
      <Findings of={others} />
    </section>
  );
}

/** What rules found: the words, the remedy, and the place. */
export function Findings({ of }: { of: readonly FindingView[] }): VNode | null {
  if (of.length === 0) return null;
  return (
    <ul class="finds">
      {of.map(({ rule, level, message, help, at }, index) => (
        <li key={index}>
          <Icon
            name={level === "error" ? "no" : "tri"}
            class={level === "error" ? "bad" : "warn"}
            label={level === "error" ? "error" : "warning"}
          />
          <span>
            <Text of={message} />{" "}
            {help !== undefined && (
              <span class="dim">
                <Text of={help} />
              </span>
            )}
          </span>
          <span class="m dim3">
            {rule} <Text of={plain(at)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function findingsOf({ agents, others }: CheckView): readonly FindingView[] {
  return [
    ...others,
    ...agents.flatMap(({ findings, tools }) => [...findings, ...tools.flatMap((tool) => tool.findings)]),
  ];
}
