import { announcement } from "./state.ts";

/** Copies a text, and says so to those who do not see it. */
export function copy(text: string, done: string): void {
  navigator.clipboard.writeText(text).then(
    () => (announcement.value = done),
    () => (announcement.value = "The browser did not let the page copy."),
  );
}
