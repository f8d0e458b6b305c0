import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { VNode } from "preact";

/** A key of the page: what it does, and how it is written. */
export interface Key {
  /** As `KeyboardEvent.key` names it, with `alt+` before the code of a letter: `alt+KeyU`; `mod+Enter` for Ctrl or Command. */
  readonly on: string;
  /** As it is written on the key bar; those without are not listed there. */
  readonly show?: readonly string[];
  readonly label: string;
  readonly run: () => void;
  /** Whether it works while somebody types. */
  readonly inText?: boolean;
}

const groups = signal<readonly (readonly Key[])[]>([]);

/** Keys that work for as long as a component is there. */
export function useKeys(keys: readonly Key[]): void {
  const latest = useRef(keys);
  latest.current = keys;
  const names = keys.map(({ on, label }) => `${on} ${label}`).join("|");
  // Before the page is painted: who sees what a key does may press it.
  useLayoutEffect(() => {
    const group = latest.current.map((key, index): Key => ({
      ...key,
      run: () => latest.current[index]?.run(),
    }));
    groups.value = [...groups.peek(), group];
    return () => {
      groups.value = groups.peek().filter((other) => other !== group);
    };
  }, [names]);
}

/** All keys that work now, those that were added last first. */
export function currentKeys(): readonly Key[] {
  return groups.value.toReversed().flat();
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** How the modifier is written here. */
export const modifier: string = isMac ? "⌘" : "Ctrl";

/** How `Alt` with a key is written here. */
export function alt(key: string): string {
  return isMac ? `⌥${key}` : `Alt ${key}`;
}

/** The name of a key as it is written. */
export function written(name: string): string {
  return name
    .replace("alt+Key", alt(""))
    .replace("mod+", `${modifier} `)
    .replace("Escape", "esc")
    .replace("Enter", "↵");
}

/** Gives the keys of the page back to one who types. */
export function leaveField(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

function nameOf(event: KeyboardEvent): string {
  if (event.altKey) return event.key === "Enter" ? "alt+Enter" : `alt+${event.code}`;
  return event.metaKey || event.ctrlKey ? `mod+${event.key}` : event.key;
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]),textarea,select");
}

let prefix = "";

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
  const name = prefix + nameOf(event);
  const typing = isText(event.target);
  prefix = "";
  const key = currentKeys().find(({ on, inText = false }) => on === name && (!typing || inText));
  if (key) {
    event.preventDefault();
    // What a key confirms must not be confirmed because it is held down.
    if (!event.repeat || !name.startsWith("mod+")) key.run();
  } else if (name === "g" && !typing) prefix = "g ";
});

/** A key as it is written. */
export function Kbd({ of }: { of: string }): VNode {
  return <kbd aria-hidden="true">{of}</kbd>;
}
