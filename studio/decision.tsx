import { useRef, useState } from "preact/hooks";
import type { VNode } from "preact";
import type { Approval, ArgumentsView } from "../src/studio/records.ts";
import { ask, send } from "./api.ts";
import { clock } from "./format.ts";
import { Mark } from "./icons.tsx";
import { Kbd, modifier } from "./keys.tsx";
import { draftOf } from "./field-values.ts";
import { Fields, isRecord } from "./schema-form.tsx";
import { announcement, readApprovals } from "./state.ts";
import { Text } from "./text.tsx";

interface Answer {
  readonly decision: "approve" | "deny";
  readonly reason?: string;
  readonly arguments?: object;
}

/** The decision on a call that waits: as it is, with other arguments, or not at all. */
export function Decision({ approval, onDone }: { approval: Approval; onDone?: () => void }): VNode {
  const original = isRecord(approval.input) ? approval.input : {};
  const [draft, setDraft] = useState(() => draftOf(original));
  const [resets, setResets] = useState(0);
  const [reason, setReason] = useState("");
  const [issues, setIssues] = useState<ArgumentsView["issues"]>([]);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const why = useRef<HTMLTextAreaElement>(null);
  const { value } = draft;
  const isUnclear = draft.issues.size > 0;
  const isEdited = isUnclear || JSON.stringify(value) !== JSON.stringify(original);
  const check = async (): Promise<boolean> => {
    const body = { agent: approval.agent, toolName: approval.toolName, arguments: JSON.stringify(value) };
    const view = await ask<ArgumentsView>(`/studio/check/${encodeURIComponent(approval.runId)}`, { body });
    setIssues(view.issues);
    return view.issues.length === 0;
  };
  const answer = async (given: Answer): Promise<void> => {
    setBusy(true);
    setProblem("");
    try {
      if (given.arguments && !(await check())) return;
      const id = approval.runId.replace(/^studio\//, "");
      const decisions = [{ approvalId: approval.approvalId, ...given }];
      const path = approval.isStored
        ? `/studio/decide/${encodeURIComponent(approval.runId)}`
        : `/runs/${encodeURIComponent(id)}/decide`;
      await send(path, { body: { decisions } });
      announcement.value = given.decision === "approve" ? "Approved." : "Denied.";
      await readApprovals();
      onDone?.();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const text = reason.trim() === "" ? {} : { reason: reason.trim() };
  const approve = async (): Promise<void> => {
    if (isBusy || isUnclear) return;
    await answer({ decision: "approve", ...text, ...(isEdited && { arguments: value }) });
  };
  const deny = (): Promise<void> => answer({ decision: "deny", ...text });
  return (
    <section class="ask" aria-label="Decision">
      <header>
        <Mark size={18} />
        <h2>Your decision</h2>
        <span class="dim n">asked {clock(approval.since)}</span>
      </header>
      <form
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          // The next call may be in this place by now.
          if (!event.repeat) void approve();
        }}
      >
        <p>
          <b class="m">
            <Text of={approval.toolName} />
          </b>
          {approval.description !== undefined && (
            <>
              {" "}
              <Text of={approval.description} />
            </>
          )}
        </p>
        <Fields
          schema={approval.schema}
          key={resets}
          draft={draft}
          original={original}
          issues={issues}
          onChange={setDraft}
        />
        <div class="f">
          <label for={`why-${approval.approvalId}`}>
            Reason, for the model <span>optional</span>
          </label>
          <textarea
            id={`why-${approval.approvalId}`}
            ref={why}
            rows={2}
            placeholder="Why you changed or denied it"
            value={reason}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </div>
        {problem !== "" && (
          <p class="bad" role="alert">
            <Text of={problem} />
          </p>
        )}
        <div class="acts">
          <button class="btn go" type="button" disabled={isBusy || isUnclear} onClick={() => void approve()}>
            {isEdited ? "Approve as edited" : "Approve"} <Kbd of={`${modifier} ↵`} />
          </button>
          <button class="btn" type="button" disabled={isBusy} onClick={() => void deny()}>
            Deny
          </button>
          {isEdited && (
            <button
              class="btn q"
              type="button"
              onClick={() => {
                setDraft(draftOf(original));
                setResets(resets + 1);
                setIssues([]);
              }}
            >
              Reset
            </button>
          )}
        </div>
      </form>
    </section>
  );
}
