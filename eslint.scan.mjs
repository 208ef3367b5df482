import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/**
 * What n8n's verification scan holds against a package: the rules of both plugins, on the sources
 * that are shipped and on package.json. `npm run lint` and `npm run verify` both take them from here.
 */
export default tseslint.config(
	{
		files: ['package.json', '**/{nodes,credentials}/**/*.{js,ts,json}'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: { 'no-console': 'error' },
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
		// The scan does not know of inline disables.
		linterOptions: { noInlineConfig: true },
	},
	{
		files: ['package.json'],
		rules: n8nNodesBase.configs.community.rules,
	},
	{
		files: ['**/credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// For n8n's own credentials, whose documentation has a slug; the rule beside it wants a URL.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['**/nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// These want 'main', which the newer plugin forbids in favour of NodeConnectionTypes.Main.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
);
