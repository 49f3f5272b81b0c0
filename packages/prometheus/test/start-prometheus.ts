import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findPrometheus } from './find-prometheus.ts';

/** One series of an answer: its labels, and its value now. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: 'pending' | 'firing';
}

export interface PrometheusServer extends AsyncDisposable {
  /** @throws Error in Prometheus' own words for an expression that can't be parsed */
  query(expression: string): Promise<readonly Series[]>;
  alerts(): Promise<readonly Alert[]>;
}

interface Answer<Data> {
  readonly status: 'success' | 'error';
  readonly data?: Data;
  readonly error?: string;
}

interface Vector {
  readonly result: readonly {
    readonly metric: Readonly<Record<string, string>>;
    readonly value: readonly [number, string];
  }[];
}

/**
 * A real Prometheus that scrapes these URLs, each under a job of its name, and evaluates rules,
 * twice a second.
 */
export async function startPrometheus(
  urls: Readonly<Record<string, string>>,
  ruleFile: string,
): Promise<PrometheusServer> {
  const folder = mkdtempSync(join(tmpdir(), 'recloser-prometheus-'));
  const config = {
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
    rule_files: [ruleFile],
    scrape_configs: Object.entries(urls).map(([job_name, url]) => ({
      job_name,
      static_configs: [{ targets: [new URL(url).host] }],
    })),
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const child = spawn(
    findPrometheus()!.prometheus,
    [
      '--config.file=prometheus.yml',
      '--storage.tsdb.path=data',
      '--web.listen-address=127.0.0.1:0',
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const gone = once(child, 'exit');
  const address = await addressIn(createInterface(child.stderr));
  const get = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`http://${address}/api/v1/${path}`);
    const { status, data, error } = (await response.json()) as Answer<Data>;
    if (status !== 'success' || data === undefined) throw new Error(error);
    return data;
  };
  return {
    query: async (expression) => {
      const { result } = await get<Vector>(`query?query=${encodeURIComponent(expression)}`);
      return result.map(({ metric: labels, value: [, value] }) => ({
        labels,
        value: Number(value),
      }));
    },
    alerts: async () => (await get<{ readonly alerts: readonly Alert[] }>('alerts')).alerts,
    async [Symbol.asyncDispose]() {
      child.kill();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It says where it listens. @throws Error with what it said, where it ended before */
async function addressIn(log: AsyncIterable<string> & NodeJS.EventEmitter): Promise<string> {
  const lines: string[] = [];
  return await new Promise((resolve, reject) => {
    log.on('line', (line: string) => {
      lines.push(line);
      const [, address] = /msg="Listening on".* address=(\S+)/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    log.on('close', () => reject(new Error(`Prometheus ended:\n${lines.join('\n')}`)));
  });
}
