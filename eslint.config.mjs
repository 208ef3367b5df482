import tseslint from 'typescript-eslint';
import scan from './eslint.scan.mjs';

export default tseslint.config(
	{ ignores: ['**/node_modules/', 'dist/', 'coverage/', 'n8n/.n8n-data/'] },
	{
		files: ['**/*.ts', '**/*.js', '**/*.cjs', '**/*.mjs'],
		extends: [tseslint.configs.recommended],
		rules: {
			eqeqeq: 'error',
			'no-console': 'off',
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	{
		files: ['**/*.js', '**/*.cjs'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	...scan,
);
