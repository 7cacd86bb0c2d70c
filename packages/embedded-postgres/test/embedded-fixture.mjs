// Runs the embedded server in a process of its own, which the tests kill in various ways. Prints its events, one JSON
// object per line. Arguments: `server` or `watchdog`, and the data folder.

const [mode, dataDir] = process.argv.slice(2);
const name = 'app';
const settings = { fsync: 'off' };
const embedded = (file) => import(new URL(`./dist/${file}.js`, import.meta.url).href);
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const server = mode === 'watchdog' ? await startWithoutSetpriv() : await startServer();
  process.once('SIGTERM', async () => {
    await server.stop();
    print({ kind: 'fixture.stopped' });
    process.exit(0);
  });
  print({ kind: 'fixture.started', url: server.url, postmaster: server.pid });
} catch (error) {
  print({ kind: 'fixture.failed', name: error.name, message: error.message });
  process.exit(1);
}

async function startServer() {
  const { EmbeddedServer } = await embedded('embedded-server');
  return await EmbeddedServer.start({ dataDir, name, onEvent: print, settings });
}

// Assembles the parts of a start as on a machine without setpriv.
async function startWithoutSetpriv() {
  const { locateBinaries } = await embedded('locate-binaries');
  const { linkLibraries } = await embedded('link-libraries');
  const { clusterFolder } = await embedded('cluster-plan');
  const { chooseRunAs } = await embedded('run-as');
  const { ensureCluster } = await embedded('ensure-cluster');
  const { launchFirst } = await embedded('launch-server');
  const { serverUrl } = await embedded('server-url');
  const binaries = await locateBinaries();
  await linkLibraries(binaries, `${dataDir}/libraries`);
  const runAs = await chooseRunAs({ clusterDir: clusterFolder(dataDir), setpriv: 'no-setpriv-here' });
  const plan = { folder: dataDir, name, binaries, runAs, settings, onEvent: print };
  const password = await ensureCluster(plan);
  const stopping = new AbortController().signal;
  const { postmaster, port } = await launchFirst({ ...plan, password, stopping });
  return { url: serverUrl({ name, password, port }), pid: postmaster.pid, stop: () => postmaster.stop() };
}
