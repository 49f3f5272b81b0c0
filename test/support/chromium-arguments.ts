/** What every Chromium of the tests is started with. */
export const chromiumArguments: string[] = [
  // Containers run it as root.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
