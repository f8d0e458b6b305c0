import { useEffect, useRef, useState } from "preact/hooks";
import type { VNode } from "preact";
import { chat } from "./chat-store.ts";
import { alt, Kbd, leaveField, useKeys } from "./keys.tsx";
import { leadOf } from "./leads.ts";
import { ErrorNote, plain } from "./text.tsx";

/** Where the person writes: a message starts a run, or is read by the one that works. */
export function Composer({ agent }: { agent: string | undefined }): VNode {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const phase = chat.phase.value;
  const works = phase === "working";
  const lead = chat.version.value >= 0 ? (chat.content.value.lead ?? agent) : agent;
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const say = async (when?: "steer" | "queue"): Promise<void> => {
    const message = text.trim();
    if (message === "") return;
    setText("");
    if (!(await chat.say(message, when))) setText(message);
  };
  const undo = (): void => {
    const message = chat.undo();
    if (message === undefined) return;
    setText(message);
    field.current?.focus();
  };
  useKeys([
    ...(works
      ? [{ on: "Escape", show: ["esc"], label: "stop", inText: true, run: () => void chat.stop() }]
      : [{ on: "Escape", label: "leave the field", inText: true, run: leaveField }]),
    ...(works ? [] : [{ on: "alt+KeyU", show: [alt("U")], label: "undo", inText: true, run: undo }]),
    { on: "i", label: "write", run: () => field.current?.focus() },
    { on: "/", label: "write", run: () => field.current?.focus() },
  ]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void say(event.altKey ? "queue" : "steer");
    } else if (event.key === "ArrowUp" && text === "" && !works) {
      event.preventDefault();
      undo();
    }
  };
  const name = plain(lead ?? "the agent");
  return (
    <div class="comp">
      {chat.problem.value !== "" && <ErrorNote of={chat.problem.value} role="alert" />}
      <div class="box" data-lead={leadOf(lead)}>
        <textarea
          id="say"
          ref={field}
          rows={2}
          aria-label="Message"
          placeholder={
            works
              ? `Say something while ${name} works: it is read before the next model call`
              : `Say something to ${plain(agent ?? "an agent")}`
          }
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <footer>
          <span class="dim">
            {phase === "waiting" ? "A call waits for your decision" : works ? `${name} works` : ""}
          </span>
          <span class="grow" />
          {works ? (
            <>
              <button class="btn q" type="button" onClick={() => void chat.stop()}>
                Stop <Kbd of="esc" />
              </button>
              <button class="btn q hide-m" type="button" onClick={() => void say("queue")}>
                Queue <Kbd of={alt("↵")} />
              </button>
            </>
          ) : (
            chat.content.value.items.length > 0 && (
              <button class="btn q" type="button" onClick={undo}>
                Undo <Kbd of={alt("U")} />
              </button>
            )
          )}
          <button class="btn go" type="button" onClick={() => void say()}>
            {works ? "Steer" : "Send"} <Kbd of="↵" />
          </button>
        </footer>
      </div>
    </div>
  );
}
