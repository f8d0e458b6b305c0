/** Milliseconds as people read them: `690 ms`, `2.26 s`, `3 m 12 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} m`;
}

/** A count in a list: `695`, `22.9k`, `2.1 M`. */
export function short(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 1_000_000) return `${(count / 1_000).toFixed(1)}k`;
  return `${(count / 1_000_000).toFixed(1)} M`;
}

/** A count with all its digits: `22,903`. */
export function exact(count: number): string {
  return count.toLocaleString("en-US");
}

/** US dollars with four digits. */
export function money(dollars: number): string {
  return `$${dollars.toFixed(4)}`;
}

/** The time of day: `12:41:03`. */
export function clock(time: number): string {
  return new Date(time).toLocaleTimeString("en-GB");
}

/** A day and the time: `3 Nov 2026, 12:41`. */
export function day(time: number): string {
  return new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** A share in percent: `83.3%`. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}

/** The part of a run's id by which people tell runs apart. */
export function shortId(id: string): string {
  const last =
    id
      .split("/")
      .at(-1)
      ?.replace(/^trace-/, "") ?? id;
  const [session = "", number] = last.split(".");
  return number === undefined ? last.slice(0, 8) : `${session.slice(0, 8)}.${number}`;
}

/** One thing or several: `1 turn`, `2 turns`. */
export function plural(count: number, one: string, several = `${one}s`): string {
  return `${exact(count)} ${count === 1 ? one : several}`;
}

/** Arguments in a line: `orderId: 7, reason: "broken"`. */
export function brief(json: string): string {
  try {
    const value: unknown = JSON.parse(json === "" ? "{}" : json);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return json;
    return Object.entries(value)
      .map(([name, member]) => `${name}: ${JSON.stringify(member)}`)
      .join(", ");
  } catch {
    return json;
  }
}
