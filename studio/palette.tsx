import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { VNode } from "preact";
import { Icon, type IconName, statusIcon } from "./icons.tsx";
import { currentKeys, Kbd, useKeys, written } from "./keys.tsx";
import { go, info, newestRuns, switchTheme } from "./state.ts";
import { plain, Text } from "./text.tsx";

/** Which of the two windows is open. */
export const dialog = signal<"none" | "palette" | "keys">("none");

interface Entry {
  readonly group: string;
  readonly label: string;
  readonly about?: string;
  readonly icon: IconName;
  readonly key?: readonly string[];
  readonly run: () => void;
}

const most = 8;

/** Whether there is anybody to chat with. */
function hasChat(): boolean {
  return info.value?.agents.length !== 0;
}

/** All that can be found or done from here. */
function entriesNow(): readonly Entry[] {
  const here = currentKeys()
    .filter(({ show, label }) => show && label !== "move" && label !== "find")
    .map(({ label, show = [], run }): Entry => ({ group: "Here", label, icon: "re", key: show, run }));
  const pages: readonly Entry[] = [
    ...(hasChat()
      ? [{ group: "Go to", label: "Chat", icon: "dots", key: ["g", "c"], run: () => go("chat") } as const]
      : []),
    { group: "Go to", label: "Runs", icon: "dots", key: ["g", "r"], run: () => go("runs") },
    { group: "Go to", label: "Approvals", icon: "wt", key: ["g", "a"], run: () => go("approvals") },
    { group: "Go to", label: "Agents", icon: "sub", key: ["g", "t"], run: () => go("agents") },
    { group: "Go to", label: "Evals", icon: "ok", key: ["g", "e"], run: () => go("evals") },
    { group: "Go to", label: "Dark or light", icon: "re", key: ["\\"], run: switchTheme },
  ];
  const agents = (info.value?.agents ?? []).flatMap(({ name, tools }): Entry[] => [
    { group: "Agents", label: name, about: "agent", icon: "sub", run: () => go("agents", name) },
    ...tools.map((tool): Entry => ({
      group: "Agents",
      label: tool.name,
      about: `tool of ${plain(name)}`,
      icon: "sub",
      run: () => go("agents", name),
    })),
  ]);
  const runs = newestRuns.value.map((run): Entry => ({
    group: "Runs",
    label: run.input === "" ? run.agent : run.input.slice(0, 80),
    about: run.status,
    icon: statusIcon(run.status),
    run: () => go("runs", run.id),
  }));
  return [...here, ...pages, ...agents, ...runs];
}

/** How well a text fits what was typed: the letters must come in their order, those in a row count more. */
function score(text: string, query: string): number {
  let at = 0;
  let total = 0;
  let run = 0;
  const lower = text.toLowerCase();
  for (const letter of query) {
    const next = lower.indexOf(letter, at);
    if (next < 0) return 0;
    run = next === at ? run + 1 : 1;
    total += run + (next === 0 || lower[next - 1] === " " ? 2 : 0);
    at = next + 1;
  }
  return total;
}

/** Finds a run, an agent or a tool, or does something. */
export function Palette(): VNode {
  const ref = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const isOpen = dialog.value === "palette";
  useModal(ref, isOpen, () => {
    setQuery("");
    setAt(0);
  });
  const words = query.trim().toLowerCase();
  const all = isOpen ? entriesNow() : [];
  const ranked =
    words === ""
      ? all
      : all
          .map((entry) => ({ entry, rank: score(`${entry.label} ${entry.about ?? ""}`, words) }))
          .filter(({ rank }) => rank > 0)
          .sort((one, other) => other.rank - one.rank)
          .map(({ entry }) => entry);
  const listed = ranked.slice(0, most);
  const run = (entry: Entry | undefined): void => {
    dialog.value = "none";
    entry?.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) {
      event.preventDefault();
      setAt((at + by + listed.length) % Math.max(1, listed.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(listed[at]);
    }
  };
  return (
    <dialog
      ref={ref}
      class="pal"
      aria-label="Find or do"
      onClose={() => closed("palette")}
      onClick={({ target }) => target === ref.current && (dialog.value = "none")}
    >
      {isOpen && (
        <>
          <input
            placeholder="Find a run, an agent, a tool, or do something"
            aria-label="Find or do"
            role="combobox"
            aria-expanded="true"
            aria-controls="pal-list"
            aria-activedescendant={listed.length > 0 ? `pal-${at}` : undefined}
            value={query}
            onInput={({ currentTarget }) => {
              setQuery(currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          <ul role="listbox" id="pal-list" aria-label="Found">
            {listed.map((entry, index) => (
              <li
                key={`${entry.group} ${entry.label} ${index}`}
                id={`pal-${index}`}
                role="option"
                aria-selected={index === at}
                onClick={() => run(entry)}
                onMouseMove={() => setAt(index)}
              >
                <Icon name={entry.icon} />
                <span class="txt2">
                  <Text of={entry.label} />
                </span>
                {entry.about !== undefined && <small class="dim3">{entry.about}</small>}
                <span class="ks">
                  {(entry.key ?? []).map((key) => (
                    <Kbd key={key} of={key} />
                  ))}
                </span>
              </li>
            ))}
          </ul>
          {listed.length === 0 && <p class="none dim">Nothing fits.</p>}
        </>
      )}
    </dialog>
  );
}

/** All keys that work here. */
export function AllKeys(): VNode {
  const ref = useRef<HTMLDialogElement>(null);
  const isOpen = dialog.value === "keys";
  useModal(ref, isOpen, () => {});
  const keys = isOpen
    ? currentKeys().filter(({ on }, index, all) => all.findIndex((other) => other.on === on) === index)
    : [];
  return (
    <dialog
      ref={ref}
      class="pal"
      aria-label="All keys"
      onClose={() => closed("keys")}
      onClick={({ target }) => target === ref.current && (dialog.value = "none")}
    >
      {isOpen && (
        <dl class="kv allkeys" tabIndex={0}>
          {keys.map(({ on, label }) => (
            <>
              <dt>
                <kbd>{written(on)}</kbd>
              </dt>
              <dd>{label}</dd>
            </>
          ))}
        </dl>
      )}
    </dialog>
  );
}

/** A dialog has been closed. The event comes later, when another one may be open. */
function closed(which: "palette" | "keys"): void {
  if (dialog.value === which) dialog.value = "none";
}

function useModal(ref: { current: HTMLDialogElement | null }, isOpen: boolean, onOpen: () => void): void {
  useEffect(() => {
    const element = ref.current;
    if (!element || element.open === isOpen) return;
    if (!isOpen) return element.close();
    onOpen();
    element.showModal();
    element.querySelector("input")?.focus();
  }, [isOpen]);
}

/** The keys that work everywhere. */
export function useGlobalKeys(): void {
  useKeys([
    { on: "mod+k", label: "find or do", inText: true, run: () => (dialog.value = "palette") },
    ...(hasChat() ? [{ on: "g c", show: ["g", "c"], label: "chat", run: () => go("chat") }] : []),
    { on: "g r", show: ["g", "r"], label: "runs", run: () => go("runs") },
    { on: "g a", label: "approvals", run: () => go("approvals") },
    { on: "g t", label: "agents", run: () => go("agents") },
    { on: "g e", label: "evals", run: () => go("evals") },
    { on: "\\", label: "dark or light", run: switchTheme },
    { on: "?", show: ["?"], label: "all keys", run: () => (dialog.value = "keys") },
  ]);
}
