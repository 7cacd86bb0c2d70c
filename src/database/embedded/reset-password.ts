// Gives the database user a new password when the file that held it is lost, for example after only the database's own
// folder was restored. Works on a cluster that no server runs on.

import type { ClusterPlan } from './cluster-plan.ts';
import { makePassword } from './database-password.ts';
import { explainOutput } from './explain-output.ts';
import { folderArgument } from './run-as.ts';
import { runProgram } from './run-program.ts';

export async function resetPassword(plan: ClusterPlan, cluster: string): Promise<string> {
  const { folder, binaries, runAs } = plan;
  const password = await makePassword(folder, runAs.user);
  const run = await runProgram(
    runAs,
    binaries.postgres,
    ['--single', '-j', '-D', folderArgument(runAs, cluster), 'postgres'],
    {
      secret: password,
      cwd: cluster,
      input: `ALTER ROLE flaghoist PASSWORD '${password}';\n`,
    },
  );
  if (!run.isSuccess) throw explainOutput('its password could not be set anew', folder, run.lines);
  return password;
}
