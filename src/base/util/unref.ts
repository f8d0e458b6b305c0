/** Lets the process end without waiting for a timer, where timers can hold it. */
export function unref(timer: ReturnType<typeof setTimeout>): void {
  if (typeof timer === "object" && typeof timer.unref === "function") timer.unref();
}
