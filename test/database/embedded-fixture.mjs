// Runs the embedded server in a process of its own, which the tests then kill in various ways. Prints what happens, one
// JSON object a line. Arguments: `server` or `watchdog`, the data folder.

const [mode, dataDir] = process.argv.slice(2);
const settings = { fsync: 'off' };
const embedded = (file) => import(new URL(`./dist/database/embedded/${file}.js`, import.meta.url).href);
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
  return await EmbeddedServer.start({ dataDir, observe: print, settings });
}

// The parts of a start, put together as on a machine that has no setpriv.
async function startWithoutSetpriv() {
  const { locateBinaries } = await embedded('locate-binaries');
  const { linkLibraries } = await embedded('link-libraries');
  const { clusterFolder } = await embedded('cluster-plan');
  const { chooseRunAs } = await embedded('run-as');
  const { ensureCluster } = await embedded('ensure-cluster');
  const { launchFirst, serverUrl } = await embedded('launch-server');
  const binaries = await locateBinaries();
  await linkLibraries(binaries, `${dataDir}/libraries`);
  const runAs = await chooseRunAs({ clusterDir: clusterFolder(dataDir), setpriv: 'no-setpriv-here' });
  const plan = { folder: dataDir, binaries, runAs, settings, observe: print };
  const password = await ensureCluster(plan);
  const stopping = new AbortController().signal;
  const { postmaster, port } = await launchFirst({ ...plan, password, stopping });
  return { url: serverUrl(password, port), pid: postmaster.pid, stop: () => postmaster.stop() };
}
