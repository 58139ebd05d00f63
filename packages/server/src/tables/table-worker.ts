/** Reads one uploaded file in a thread. The parent may end the thread at any moment. */
import { parentPort, workerData } from "node:worker_threads";
import { AppError } from "@red/contract/platform/errors";
import { parseTable } from "./parse-table.ts";
import type { TableReply, TableRequest } from "./read-table.ts";

async function reply({ bytes, columns, rowsMax }: TableRequest): Promise<TableReply> {
  try {
    return { table: await parseTable(Buffer.from(bytes), columns, rowsMax) };
  } catch (fault) {
    if (!(fault instanceof AppError)) {
      throw fault;
    }
    return { refused: { key: fault.key, values: fault.values } };
  }
}

function send(message: TableReply): void {
  parentPort?.postMessage(message);
}

// The time limit for the file starts here.
send({ started: true });
// Only read-table.ts starts this file, so the data is a TableRequest.
send(await reply(workerData as TableRequest));
