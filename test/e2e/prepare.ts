/** Before all test files: installs n8n, unless done before, and packs the node. */
import { ensureN8n, folderOfLine } from '../../n8n/install';
import { packNode } from '../../n8n/package';
import { consoleReport } from '../../n8n/report';

const report = consoleReport();

async function main(): Promise<void> {
	await ensureN8n(report, folderOfLine(process.env.N8N_LINE));
	await packNode(report);
}

main().catch((error: unknown) => {
	report(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
