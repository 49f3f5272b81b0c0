import { readFileSync } from 'node:fs';

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly query: string }[] };
}

const file = new URL('../grafana-dashboard.json', import.meta.url);
const { panels, templating } = JSON.parse(readFileSync(file, 'utf8')) as Dashboard;
const ofPanels = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const ofVariables = templating.list.flatMap(
  ({ query }) => /^label_values\((.*), \w+\)$/.exec(query)?.[1] ?? [],
);

/** All that the dashboard asks, with what Grafana puts in place of its variables. */
export const dashboardExpressions: readonly string[] = [...ofPanels, ...ofVariables].map((each) =>
  each.replaceAll('$__rate_interval', '1m').replaceAll(/\$(?:job|instance|key)\b/g, '.*'),
);
