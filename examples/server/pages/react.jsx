/** The desk with `useChat` of the AI SDK. */
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { chatIdOfPage } from "./chat-id.ts";
import { createChat, loadChat, useDesk } from "./use-desk.ts";

function Page({ chat }) {
  const desk = useDesk(chat);
  useEffect(() => {
    // Another tab may have gone on meanwhile.
    const onFocus = () => void (chat.status === "ready" && desk.refresh().catch(() => {}));
    addEventListener("focus", onFocus);
    return () => removeEventListener("focus", onFocus);
  });
  return (
    <>
      <div className="scroll">
        <ol>
          {desk.messages.map((message) => (
            <Message key={message.id} message={message} desk={desk} />
          ))}
        </ol>
      </div>
      {desk.error && (
        <p className="error" role="alert">
          {reasonOf(desk.error)} <button onClick={() => desk.refresh()}>Show the conversation</button>
        </p>
      )}
      <Composer desk={desk} />
    </>
  );
}

function Message({ message, desk }) {
  const { role, parts, metadata } = message;
  return (
    <li className={role}>
      {metadata?.agent && <span className="who">{metadata.agent}</span>}
      {parts.map((part, index) => (
        <Part key={index} part={part} desk={desk} />
      ))}
      {metadata?.status === "cancelled" && <p className="note">Stopped.</p>}
    </li>
  );
}

function Part({ part, desk }) {
  if (part.type === "text") return <p className="text">{part.text}</p>;
  if (part.type === "data-handoff")
    return (
      <p className="note">
        {part.data.from} hands over to {part.data.to}.
      </p>
    );
  if (part.type === "data-agent") return <InnerAgent {...part.data} />;
  return part.type.startsWith("tool-") && !part.type.startsWith("tool-transfer_to_") ? (
    <Call part={part} desk={desk} />
  ) : null;
}

function InnerAgent({ agent, status, text, calls }) {
  return (
    <div className="card inner">
      <span className="who">
        {agent} ({status})
      </span>
      {calls.map(({ toolCallId, toolName, state }) => (
        <p key={toolCallId}>
          {toolName}: {state}
        </p>
      ))}
      <p className="text">{text}</p>
    </div>
  );
}

function Call({ part, desk }) {
  const { state, input, output, errorText } = part;
  const isWaiting = state === "approval-requested";
  return (
    <div className="card" data-state={isWaiting ? "waiting" : state}>
      <strong>{part.type.slice("tool-".length)}</strong>{" "}
      {isWaiting ? <Approval part={part} desk={desk} /> : <code>{JSON.stringify(input)}</code>}
      {state === "output-available" && <p>{typeof output === "string" ? output : JSON.stringify(output)}</p>}
      {state === "output-error" && <p>{errorText}</p>}
      {state === "output-denied" && <p>Denied.</p>}
    </div>
  );
}

function Approval({ part: { input, approval }, desk }) {
  const original = JSON.stringify(input, null, 2);
  const [text, setText] = useState(original);
  const edited = parse(text);
  const approve = () => desk.decide(approval.id, true, text === original ? undefined : edited);
  return (
    <>
      waits for your decision. You can change the arguments.
      <textarea aria-label="Arguments" value={text} onChange={({ target }) => setText(target.value)} />
      <button disabled={edited === undefined} onClick={approve}>
        Approve
      </button>
      <button onClick={() => desk.decide(approval.id, false)}>Deny</button>
    </>
  );
}

function Composer({ desk }) {
  const [text, setText] = useState("");
  const send = (event) => {
    event.preventDefault();
    if (text.trim() === "") return;
    setText("");
    void desk.send(text);
  };
  return (
    <form onSubmit={send}>
      <input aria-label="Message" autoFocus value={text} onChange={({ target }) => setText(target.value)} />
      {desk.isWorking ? (
        <button type="button" onClick={() => desk.stop()}>
          Stop
        </button>
      ) : (
        <button>Send</button>
      )}
    </form>
  );
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the server has answered with: `{ error: { code, message } }`. */
function reasonOf({ message }) {
  return parse(message)?.error?.message ?? message;
}

const id = chatIdOfPage();
const { messages } = await loadChat(id);
createRoot(document.querySelector("#page")).render(<Page chat={createChat(id, messages)} />);
