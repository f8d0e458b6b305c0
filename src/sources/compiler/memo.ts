/** Asks once for each type or symbol: every question is a round trip to another process. */
export function memoized<Subject extends { readonly id: number }, Answer>(
  ask: (subject: Subject) => Answer,
): (subject: Subject) => Answer {
  const answers = new Map<number, { readonly answer: Answer }>();
  return (subject) => {
    const entry = answers.get(subject.id) ?? { answer: ask(subject) };
    answers.set(subject.id, entry);
    return entry.answer;
  };
}

/** Asks once for each node, and one question for all nodes that are not known yet. */
export function memoizedNodes<Node extends object, Answer>(
  ask: (nodes: readonly Node[]) => readonly (Answer | undefined)[],
): (nodes: readonly Node[]) => readonly (Answer | undefined)[] {
  const answers = new WeakMap<Node, { readonly answer: Answer | undefined }>();
  return (nodes) => {
    const unknown = [...new Set(nodes.filter((node) => !answers.has(node)))];
    if (unknown.length > 0) {
      const results = ask(unknown);
      for (const [index, node] of unknown.entries()) answers.set(node, { answer: results[index] });
    }
    return nodes.map((node) => answers.get(node)?.answer);
  };
}
