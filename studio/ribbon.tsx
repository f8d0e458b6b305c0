import type { VNode } from "preact";
import type { RunSummary } from "../src/studio/records.ts";
import { duration } from "./format.ts";
import { leadOf } from "./leads.ts";
import { Scale } from "./scale.ts";
import { plain } from "./text.tsx";

/** The scale of a run: its pauses are drawn short. */
export function scaleOf({ flight }: Pick<RunSummary, "flight">): Scale {
  const end = flight.at(-1)?.end ?? 0;
  return new Scale(
    end,
    flight.filter(({ agent }) => agent === undefined),
  );
}

/**
 * Who was active, and for how long, with what went wrong.
 * @param max - Milliseconds of the whole width; the run's own by default.
 */
export function Ribbon({
  run,
  max,
  isSmall = false,
}: {
  run: RunSummary;
  max?: number;
  isSmall?: boolean;
}): VNode {
  const scale = scaleOf(run);
  const width = max ?? scale.length;
  return (
    <div
      class={isSmall ? "ribbon s" : "ribbon"}
      style={{ "--max": width }}
      role="img"
      aria-label={describe(run)}
    >
      {run.flight.map(({ agent, start, end }, index) => {
        const [s, e] = [scale.at(start), scale.at(end)];
        const name = plain(agent ?? "You");
        const fits = !isSmall && (e - s) / width > name.length / 90;
        return (
          <i
            key={index}
            class={(e - s) / width < (name.length + 3) / 28 ? "tight" : ""}
            data-lead={leadOf(agent)}
            title={`${name}, ${duration(end - start)}`}
            style={{ "--s": s, "--e": Math.max(e, s + width / 200) }}
          >
            {fits ? name : ""}
          </i>
        );
      })}
      {run.ticks.map(({ kind, at }, index) => (
        <u key={index} class={kind === "prefix" ? "c" : ""} style={{ "--s": scale.at(at) }} />
      ))}
    </div>
  );
}

function describe({ flight, ticks }: RunSummary): string {
  const parts = flight.map(({ agent, start, end }) => `${plain(agent ?? "you")} ${duration(end - start)}`);
  const wrong = ticks.filter(({ kind }) => kind === "wrong").length;
  const breaks = ticks.length - wrong;
  return [
    parts.join(", "),
    ...(wrong > 0 ? [`${wrong} went wrong`] : []),
    ...(breaks > 0 ? [`prefix broken ${breaks} times`] : []),
  ].join("; ");
}
