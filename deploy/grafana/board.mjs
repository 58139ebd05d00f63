/** Prints the Grafana board: `node deploy/grafana/board.mjs > red-packet.json`, then import it there; it reads the default source. */
const SECONDS = "redpacket_http_request_duration_seconds";

/** Title | unit, then its queries | legend. */
const PANELS = `
Draws a second | reqps
  sum by (outcome) (rate(redpacket_draws_total[$__rate_interval])) | {{outcome}}
Answers a second | reqps
  sum by (status) (rate(${SECONDS}_count[$__rate_interval])) | {{status}}
p99 by route | s
  topk(10, histogram_quantile(0.99, sum by (le, route) (rate(${SECONDS}_bucket[$__rate_interval])))) | {{route}}
Payouts and messages | short
  max(redpacket_payouts_waiting) | payouts waiting
  max(redpacket_payouts_to_check) | payouts to check
  max(redpacket_webhooks_waiting) | messages waiting
Calls to the wallet | reqps
  sum by (call, outcome) (rate(redpacket_payout_calls_total[$__rate_interval])) | {{call}} {{outcome}}
Rows of the platform | rowsps
  sum by (kind, verdict) (rate(redpacket_ingested_rows_total[$__rate_interval])) | {{kind}} {{verdict}}
Connections | short
  sum by (pool, state) (redpacket_db_connections) > 0 | {{pool}} {{state}}
Since upkeep ended well | s
  time() - max by (task) (redpacket_upkeep_last_success_timestamp_seconds) | {{task}}
Faults of the database | short
  max by (fault) (redpacket_database_fault) > 0 | {{fault}}
What a standby lacks | bytes
  max by (standby) (redpacket_standby_lag_bytes) | {{standby}}
Oldest row not sealed | s
  max by (list) (redpacket_seals_behind_seconds) | {{list}}
Now | short
  sum(redpacket_draws_in_flight) | draws in flight
  sum(redpacket_streams_open) | consoles that watch
Room in DATA_DIR | bytes
  redpacket_data_folder_free_bytes | {{instance}}`;

const panels = PANELS.split(/\n(?=\S)/)
  .slice(1)
  .map((text, at) => {
    const [[title, unit], ...queries] = text.split("\n").map((line) => line.trim().split(" | "));
    return {
      id: at + 1,
      title,
      type: "timeseries",
      gridPos: { x: (at % 3) * 8, y: Math.floor(at / 3) * 8, w: 8, h: 8 },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: queries.map(([expr, legendFormat], no) => ({
        refId: "ABC"[no],
        expr,
        legendFormat,
      })),
    };
  });
const board = { uid: "red-packet", title: "Red packet", schemaVersion: 39, panels };
process.stdout.write(`${JSON.stringify(board, null, 2)}\n`);
