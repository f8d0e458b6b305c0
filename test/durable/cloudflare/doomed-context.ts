import type { DurableObjectContext } from "skein/durable/cloudflare";

/**
 * The context of an object whose process dies at a write: once it is stored.
 * @param at - The number of the write, from 1; none if it is 0.
 * @param kill - Has the process killed: what it returns never settles then.
 */
export function doomedContext(
  { id, storage }: DurableObjectContext,
  at: number,
  kill: () => Promise<void>,
): { readonly context: DurableObjectContext; readonly writes: () => number } {
  let writes = 0;
  const context: DurableObjectContext = {
    id,
    storage: {
      sql: storage.sql,
      transactionSync: (work) => storage.transactionSync(work),
      setAlarm: (time) => storage.setAlarm(time),
      deleteAlarm: () => storage.deleteAlarm(),
      sync: async () => {
        await storage.sync();
        if ((writes += 1) === at) await kill();
      },
    },
  };
  return { context, writes: () => writes };
}
