import { join } from 'node:path';

import { selectors, type Locator, type Page } from 'playwright-core';

import type { Owner } from '../../../n8n/session';
import { LIMIT_MS } from '../until';

// The attribute of n8n's own tests.
selectors.setTestIdAttribute('data-test-id');

/** What a node shows after its run: its output or its error. */
const ENDED =
	'[data-test-id="ndv-data-container"] :is(table, .json-data), [data-test-id="node-error-message"]';

/** Drives n8n's editor like a user. */
export class Editor {
	constructor(
		readonly page: Page,
		private readonly address: string,
	) {
		page.setDefaultTimeout(LIMIT_MS);
	}

	async signIn({ email, password }: Pick<Owner, 'email' | 'password'>): Promise<void> {
		await this.page.goto(`${this.address}/signin`);
		await this.page.getByTestId('emailOrLdapLoginId').locator('input').fill(email);
		await this.page.getByTestId('password').locator('input').fill(password);
		await this.page.getByTestId('form-submit-button').click();
		await this.page.waitForURL('**/home/**');
		await this.page.getByTestId('menu-item').first().waitFor();
	}

	async newWorkflow(): Promise<void> {
		await this.go('/workflow/new');
		await this.page.getByTestId('canvas-plus-button').waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.go(`/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** By the router of the editor, which takes seconds to load anew. */
	private async go(path: string): Promise<void> {
		await this.page.locator('#app').evaluate(async (app, to) => {
			await app.__vue_app__.config.globalProperties.$router.push(to);
		}, path);
	}

	/** Opens the node panel of an empty workflow. */
	async openNodePanel(): Promise<void> {
		await this.page.getByTestId('canvas-plus-button').click();
	}

	/** Searches in the open node panel. */
	async searchNode(text: string): Promise<void> {
		await this.page.getByTestId('node-creator-search-bar').fill(text);
	}

	/** Expands the actions of a node, which an empty workflow lists below its triggers. */
	async showActions(): Promise<void> {
		await this.page
			.getByTestId('node-creator-category-item')
			.getByText(/^Actions/)
			.click();
	}

	/** A node or an action in the node panel. */
	creatorItem(name: string): Locator {
		return this.page.getByTestId('node-creator-item-name').getByText(name, { exact: true });
	}

	/** Opens the tab "Executions", and the arrow at the top right of the newest one. @returns its choices */
	async openRetry(): Promise<string[]> {
		// The tab still has the executions of the last workflow.
		await this.page.reload();
		await this.page.getByTestId('radio-button-executions').click();
		await this.page.getByTestId('execution-preview-retry-button').click();
		await this.retryChoices.first().waitFor();
		return await this.retryChoices.allInnerTexts();
	}

	async chooseRetry(choice: string): Promise<void> {
		await this.retryChoices.getByText(choice).click();
	}

	private get retryChoices(): Locator {
		return this.page.getByRole('menuitem').filter({ hasText: 'Retry', visible: true });
	}

	async openNode(name: string): Promise<void> {
		await this.nodeOnCanvas(name).dblclick();
		await this.form.waitFor();
	}

	/** What a node shows on the canvas: its name and its subtitle. */
	async onCanvas(name: string): Promise<string> {
		return await this.nodeOnCanvas(name).innerText();
	}

	private nodeOnCanvas(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/** The open node with its input, its form and its output. */
	get node(): Locator {
		return this.page.getByTestId('ndv');
	}

	/** Waits until the open node shows the icon of this file. */
	async waitForIcon(file: string): Promise<void> {
		await this.node.locator(`header img[src$="/${file}"]`).first().waitFor();
	}

	/** The form of the open node. */
	get form(): Locator {
		return this.page.getByTestId('node-parameters');
	}

	/** A field of the open node, by its parameter name. */
	field(name: string): Locator {
		return this.form.getByTestId(`parameter-input-${name}`);
	}

	async fill(name: string, text: string): Promise<void> {
		const input = this.field(name).locator('input, textarea');
		await input.fill(text);
		// While it has the focus, a tooltip of n8n covers what is below it.
		await input.blur();
	}

	/** Enters a text key by key: n8n removes characters from a number while it is typed. */
	async type(name: string, text: string): Promise<void> {
		const input = this.field(name).locator('input, textarea');
		await input.clear();
		await input.pressSequentially(text);
		await input.blur();
	}

	/** Selects from a list; `option` is the label. */
	async choose(name: string, option: string): Promise<void> {
		await this.field(name).click();
		await this.take(this.options.getByText(option, { exact: true }));
	}

	/** The choices of the open list. */
	get options(): Locator {
		return this.page.getByRole('option').filter({ visible: true });
	}

	/** Selects one of the open choices, and waits until the list has closed. */
	private async take(choice: Locator): Promise<void> {
		await choice.click();
		await this.choiceList.first().waitFor({ state: 'hidden' });
	}

	/**
	 * Adds an option to a collection.
	 * @param placeholder the label of the collection's button, such as "Add Filter"
	 */
	async addOption(placeholder: string, option: string): Promise<void> {
		const adder = this.adder(placeholder);
		await adder.click();
		// n8n adds the only option of a collection at once.
		if (await adder.locator('input').isVisible()) {
			await this.take(this.options.getByText(option, { exact: true }));
		}
	}

	/** What a collection offers to add. */
	async offered(placeholder: string): Promise<string[]> {
		await this.adder(placeholder).click();
		await this.options.first().waitFor();
		const offered = await this.choices();
		await this.closeChoices();
		return offered;
	}

	/** The button that adds options to a collection. */
	private adder(placeholder: string): Locator {
		const text = this.page.getByText(placeholder, { exact: true });
		return (
			this.form
				.getByTestId('collection-parameter-add')
				.filter({ has: this.page.getByPlaceholder(placeholder, { exact: true }).or(text) })
				// Those of the tab "Settings" exist too, but are hidden.
				.filter({ visible: true })
		);
	}

	/** The visible labels of the form, from top to bottom. */
	async labels(): Promise<string[]> {
		const labels = this.form.locator('label.n8n-input-label [class*="_title_"]');
		const texts = await labels.filter({ visible: true }).allInnerTexts();
		return texts.map((text) => text.trim());
	}

	/** Opens the choices of a field. */
	async openChoices(name: string): Promise<void> {
		await this.field(name).click();
		await this.options.first().waitFor();
	}

	/** The open choices, each with its description on the next line. */
	async choices(): Promise<string[]> {
		return (await this.options.allInnerTexts()).map((text) => text.trim());
	}

	/** The container of the open choices. */
	get choiceList(): Locator {
		return this.page.locator('.el-select-dropdown').filter({ visible: true });
	}

	async closeChoices(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.choiceList.first().waitFor({ state: 'hidden' });
	}

	/** The placeholder of a field. */
	async placeholder(name: string): Promise<string> {
		const input = this.field(name).locator('input, textarea').first();
		return (await input.getAttribute('placeholder')) ?? '';
	}

	/** A resource locator. */
	private resourceLocator(name: string): Locator {
		return this.form.getByTestId(`resource-locator-${name}`);
	}

	/** Selects the mode of a resource locator; `mode` is its name, not its label. */
	async chooseMode(name: string, mode: string): Promise<void> {
		await this.resourceLocator(name).getByTestId('rlc-mode-selector').click();
		await this.take(this.page.getByTestId(`mode-${mode}`).filter({ visible: true }));
	}

	/** The placeholder of a resource locator. */
	async locatorPlaceholder(name: string): Promise<string> {
		return (
			(await this.resourceLocator(name).getByTestId('rlc-input').getAttribute('placeholder')) ?? ''
		);
	}

	/** Opens the list of a resource locator and waits for its entries. */
	async openList(name: string): Promise<void> {
		await this.resourceLocator(name).getByTestId('rlc-input').click();
		await this.listEntries.first().waitFor();
	}

	private get listEntries(): Locator {
		return this.page.getByTestId('rlc-item').filter({ visible: true });
	}

	async listed(): Promise<string[]> {
		return (await this.listEntries.allInnerTexts()).map((text) => text.trim());
	}

	/** Types into the search of the open list and waits for the results. */
	async searchList(text: string): Promise<void> {
		const found = this.page.waitForResponse('**/resource-locator-results');
		await this.page.getByTestId('rlc-search').fill(text);
		await found;
		await this.listEntries.first().waitFor();
	}

	async pickListed(entry: string): Promise<void> {
		await this.listEntries.getByText(entry, { exact: true }).click();
	}

	/** The error of a list that cannot be loaded. */
	async listFailure(name: string): Promise<string> {
		await this.resourceLocator(name).getByTestId('rlc-input').click();
		return await this.page.getByTestId('rlc-error-container').innerText();
	}

	async fitCanvas(): Promise<void> {
		await this.page.getByTestId('zoom-to-fit').click();
	}

	/** Runs the open node and waits until it shows the result. */
	async execute(): Promise<void> {
		await this.node.getByTestId('node-execute-button').click();
		await this.output.locator(ENDED).first().waitFor();
		await this.settle();
	}

	/** Waits until no button shows a spinner, which fades out slowly. */
	private async settle(): Promise<void> {
		const sign = this.page.locator('button [class*="_loading-container_"]');
		await sign.filter({ visible: true }).first().waitFor({ state: 'hidden' });
	}

	/** The right side of the open node. */
	get output(): Locator {
		return this.node.getByTestId('output-panel');
	}

	/** The left side of the open node. */
	get input(): Locator {
		return this.node.getByTestId('ndv-input-panel');
	}

	/**
	 * The output fields of the previous node, as the open node lists them, from top to bottom. They
	 * move into place one after the other.
	 */
	async inputFields(): Promise<string[]> {
		const fields = this.input.locator('[data-value^="{{ $json"]').filter({ visible: true });
		await fields.first().waitFor();
		return await namesFromTheTop(fields);
	}

	/** Runs the previous nodes from the input of the open node. */
	async executePrevious(): Promise<void> {
		await this.input.getByText('Execute previous nodes').first().click();
		await this.input.locator('[data-value^="{{ $json"]').first().waitFor();
		await this.settle();
	}

	/** The first line of each note on the canvas that is not high enough for its text. */
	async cutOffNotes(): Promise<string[]> {
		const notes = this.page.getByTestId('sticky');
		await notes.first().waitFor();
		return await notes.evaluateAll((elements) =>
			elements
				.filter((note) =>
					[note, ...note.querySelectorAll('*')].some(
						// Of an element within a line, the client height is 0.
						({ clientHeight, scrollHeight }) => clientHeight > 0 && scrollHeight > clientHeight + 1,
					),
				)
				.map((note) => (note.textContent ?? '').trim().slice(0, 30)),
		);
	}

	/** The hints that n8n shows above the input and the output of the open node. */
	async hints(): Promise<string[]> {
		await this.output.waitFor();
		const notes = await this.node.getByTestId('run-data-hints').allInnerTexts();
		return notes.flatMap((note) => note.split('\n').map((line) => line.trim())).filter(Boolean);
	}

	/** The targets of the visible links. */
	async links(): Promise<string[]> {
		const links = await this.page.locator('a[href]').filter({ visible: true }).all();
		return await Promise.all(links.map(async (link) => (await link.getAttribute('href'))!));
	}

	/** Shows the output as `Schema`, `Table` or `JSON`. */
	async showOutputAs(mode: string): Promise<void> {
		await this.output.getByRole('radio', { name: mode }).click();
	}

	/** The values of a column of the output. */
	async outputColumn(name: string): Promise<string[]> {
		await this.showOutputAs('Table');
		const table = this.output.locator('table');
		await table.waitFor();
		const names = await table.locator('thead th').allInnerTexts();
		const column = names.findIndex((one) => one.trim() === name);
		const cells = table.locator(`tbody tr > td:nth-child(${column + 1})`);
		return (await cells.allInnerTexts()).map((text) => text.trim());
	}

	/** The error of the open node. */
	async failure(): Promise<{ message: string; description: string }> {
		return {
			message: await this.output.getByTestId('node-error-message').innerText(),
			description: await this.output.getByTestId('node-error-description').innerText(),
		};
	}

	/** Opens the dialog for the first credential from the node's form. */
	async addCredential(): Promise<void> {
		await this.form.getByTestId('node-credentials-empty-state').getByRole('button').click();
		await this.credential.waitFor();
	}

	/** The dialog of a credential. */
	get credential(): Locator {
		return this.page.getByTestId('editCredential-modal');
	}

	async fillCredential(values: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(values)) {
			await this.credential.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
		}
	}

	/** Saves the credential, which n8n then tests; closes the dialog if the test succeeds. */
	async saveCredential(): Promise<void> {
		const tested = this.page.waitForResponse('**/rest/credentials/test');
		await this.credential.getByRole('button', { name: 'Save', exact: true }).click();
		const { data } = (await (await tested).json()) as { data: { status: string } };
		if (data.status === 'OK') await this.credential.waitFor({ state: 'hidden' });
		else await this.settle();
	}

	/** Reopens the credential of the node, which n8n then tests. */
	async editCredential(): Promise<void> {
		await this.form.getByTestId('credential-edit-button').click();
		await this.credential.waitFor();
	}

	/** The result of the last test in the dialog, including details. */
	async testOutcome(): Promise<string> {
		const outcome = this.credential.locator('.el-tag').filter({ visible: true });
		await outcome.waitFor();
		const details = outcome.getByText('More details');
		if (await details.isVisible()) await details.click();
		return await outcome.innerText();
	}

	async closeCredential(): Promise<void> {
		await this.credential.locator('.el-dialog__close').click();
		await this.credential.waitFor({ state: 'hidden' });
	}

	/** Saves a screenshot for the README if `SCREENSHOTS` names a folder. */
	async keepPicture(name: string): Promise<void> {
		const folder = process.env.SCREENSHOTS;
		if (!folder) return;
		await this.settle();
		await this.page.screenshot({
			path: join(folder, `${name}.png`),
			animations: 'disabled',
			// Notifications of n8n, and the buttons on a canvas, would cover the content.
			style: '.el-notification, [class*="_executionButtons_"] { visibility: hidden }',
		});
	}
}

/** The order of the fields in the page's code is not the order on the screen. */
async function namesFromTheTop(fields: Locator): Promise<string[]> {
	const found = await Promise.all(
		(await fields.all()).map(async (field) => ({
			name: await field.innerText(),
			top: (await field.boundingBox())?.y ?? 0,
		})),
	);
	return found.sort((one, other) => one.top - other.top).map(({ name }) => name.trim());
}
